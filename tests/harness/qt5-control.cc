// SPDX-License-Identifier: MIT
#include "qt5.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTreeWidget>

#include "journal.h"

namespace {

/* The button itself knows only left clicks, and not whether they are two at once. */
class Target : public QPushButton {
public:
	using QPushButton::QPushButton;
	bool doubled = false;

protected:
	void mousePressEvent(QMouseEvent *event) override
	{
		doubled = event->type() == QEvent::MouseButtonDblClick;
		QPushButton::mousePressEvent(event);
	}

	void mouseReleaseEvent(QMouseEvent *event) override
	{
		QPushButton::mouseReleaseEvent(event);
		doubled = false;
		if (event->button() == Qt::RightButton && rect().contains(event->pos())) {
			model_change(CONTROL_TARGET, "last_action", "right_click");
		}
	}
};

/* Qt's own takes clicks only on its text; here all of what is painted in colour mode must do. */
class Agree : public QCheckBox {
public:
	using QCheckBox::QCheckBox;

protected:
	bool hitButton(const QPoint &at) const override
	{
		return rect().contains(at);
	}
};

/* Drawn, so that a hundred rows do not fill the accessible tree. */
class Rows : public QWidget {
protected:
	void paintEvent(QPaintEvent *) override
	{
		QPainter painter(this);

		for (int y = 0; y < height(); y += 20) {
			painter.drawText(4, y + 15, QString("Row %1").arg(y / 20));
		}
	}
};

class Child : public QWidget {
public:
	explicit Child(QWidget *parent) : QWidget(parent)
	{
		setAttribute(Qt::WA_NativeWindow);
		setAutoFillBackground(true);
		setPalette(QColor(Qt::darkGray));
	}

protected:
	void mousePressEvent(QMouseEvent *event) override
	{
		if (event->button() == Qt::LeftButton) {
			model_increment(CONTROL_CHILD, "child");
		}
	}
};

QWidget *make_agree(QWidget *parent)
{
	auto *box = new Agree(model_word(model_name(CONTROL_AGREE)), parent);

	box->setChecked(model_word(model_value("agreed")) == "true");
	QObject::connect(box, &QCheckBox::toggled, [](bool on) {
		model_set(CONTROL_AGREE, "agreed", on ? "true" : "false");
	});
	return box;
}

QWidget *make_target(QWidget *parent)
{
	auto *button = new Target(model_word(model_name(CONTROL_TARGET)), parent);

	QObject::connect(button, &QPushButton::clicked, [button] {
		const bool doubled = button->doubled;

		model_increment(CONTROL_TARGET, "clicks");
		model_change(CONTROL_TARGET, "last_action", doubled ? "double_click" : "click");
	});
	return button;
}

QWidget *make_slider(QWidget *parent)
{
	auto *slider = new QSlider(Qt::Horizontal, parent);

	slider->setRange(0, 100);
	slider->setValue(model_word(model_value("slider_value")).toInt());
	QObject::connect(slider, &QSlider::valueChanged, [](int now) {
		model_set(CONTROL_SLIDER, "slider_value", QString::number(now));
	});
	return slider;
}

QWidget *make_scroll(QWidget *parent)
{
	auto *area = new QScrollArea(parent);
	auto *content = new Rows;

	content->setFixedSize(240, 2000);
	area->setWidget(content);
	QObject::connect(area->verticalScrollBar(), &QScrollBar::valueChanged, [](int now) {
		model_set(CONTROL_SCROLL, "scroll_offset", QString::number(now));
	});
	return area;
}

QWidget *make_input(QWidget *parent)
{
	auto *edit = new QLineEdit(model_word(model_value("mirror")), parent);

	edit->setPlaceholderText(model_word(model_name(CONTROL_INPUT)));
	QObject::connect(edit, &QLineEdit::textChanged, [](const QString &text) {
		model_set(CONTROL_INPUT, "mirror", text);
	});
	return edit;
}

QWidget *make_password(QWidget *parent)
{
	auto *edit = new QLineEdit(parent);

	edit->setEchoMode(QLineEdit::Password);
	edit->setPlaceholderText(model_word(model_name(CONTROL_PASSWORD)));
	QObject::connect(edit, &QLineEdit::textChanged, [](const QString &text) {
		/* Characters, not UTF-16 units. */
		model_set(CONTROL_PASSWORD, "password_length", QString::number(text.toUcs4().size()));
	});
	return edit;
}

void fill_menu(QMenu *menu, enum control control, const char *list)
{
	for (const QString &item : model_words(list)) {
		QObject::connect(menu->addAction(item), &QAction::triggered, [control, item] {
			model_set(control, "menu_action", item);
		});
	}
}

QWidget *make_context(QWidget *parent)
{
	auto *button = new QPushButton(model_word(model_name(CONTROL_CONTEXT)), parent);
	auto *menu = new QMenu(button);

	fill_menu(menu, CONTROL_CONTEXT, "context");
	button->setContextMenuPolicy(Qt::CustomContextMenu);
	QObject::connect(button, &QWidget::customContextMenuRequested, [button, menu](QPoint at) {
		menu->popup(button->mapToGlobal(at));
	});
	QObject::connect(button, &QPushButton::clicked, [button, menu] {
		menu->popup(button->mapToGlobal(QPoint(0, button->height())));
	});
	return button;
}

QWidget *make_menu_bar(QWidget *parent)
{
	auto *bar = new QMenuBar(parent);

	bar->setNativeMenuBar(false);
	for (const QString &title : model_words("menus")) {
		fill_menu(bar->addMenu(title), CONTROL_MENU_BAR, ("menus/" + title).toUtf8().constData());
	}
	return bar;
}

QWidget *make_counter(QWidget *parent)
{
	auto *button = new QPushButton(model_word(model_name(CONTROL_COUNTER)), parent);

	QObject::connect(button, &QPushButton::clicked, [] {
		model_increment(CONTROL_COUNTER, "counter");
	});
	return button;
}

QWidget *make_modal(QWidget *parent)
{
	auto *button = new QPushButton(model_word(model_name(CONTROL_MODAL)), parent);

	QObject::connect(button, &QPushButton::clicked, [] {
		window_show_modal();
		model_change(CONTROL_MODAL, "modal", "open");
	});
	return button;
}

QWidget *make_popup(QWidget *parent)
{
	auto *button = new QPushButton(model_word(model_name(CONTROL_POPUP)), parent);

	QObject::connect(button, &QPushButton::clicked, [button] {
		window_show_popup(button);
		model_change(CONTROL_POPUP, "popup", "open");
	});
	return button;
}

QWidget *make_second(QWidget *parent)
{
	auto *button = new QPushButton(model_word(model_name(CONTROL_SECOND)), parent);

	QObject::connect(button, &QPushButton::clicked, [] {
		window_show_second();
		model_change(CONTROL_SECOND, "second", "open");
	});
	return button;
}

QWidget *make_choice(QWidget *parent)
{
	auto *combo = new QComboBox(parent);

	combo->addItems(model_words("choices"));
	combo->setCurrentText(model_word(model_value("choice")));
	QObject::connect(combo, &QComboBox::currentTextChanged, [](const QString &text) {
		model_set(CONTROL_CHOICE, "choice", text);
	});
	return combo;
}

QWidget *make_list(QWidget *parent)
{
	auto *list = new QListWidget(parent);
	const QString chosen = model_word(model_value("item"));

	list->addItems(model_words("items"));
	for (QListWidgetItem *item : list->findItems(chosen, Qt::MatchExactly)) {
		list->setCurrentItem(item);
	}
	/* Not the current item: that becomes the first one as soon as the list has the focus. */
	QObject::connect(list, &QListWidget::itemSelectionChanged, [list] {
		for (const QListWidgetItem *item : list->selectedItems()) {
			model_set(CONTROL_LIST, "item", item->text());
		}
	});
	return list;
}

QWidget *make_tree(QWidget *parent)
{
	auto *tree = new QTreeWidget(parent);

	tree->setHeaderHidden(true);
	for (const QString &title : model_words("nodes")) {
		auto *node = new QTreeWidgetItem(tree, QStringList(title));

		for (const QString &leaf : model_words(("nodes/" + title).toUtf8().constData())) {
			new QTreeWidgetItem(node, QStringList(leaf));
		}
	}
	QObject::connect(tree, &QTreeWidget::itemSelectionChanged, [tree] {
		for (const QTreeWidgetItem *item : tree->selectedItems()) {
			model_set(CONTROL_TREE, "node", item->text(0));
		}
	});
	QObject::connect(tree, &QTreeWidget::itemExpanded, [](const QTreeWidgetItem *item) {
		journal_note("expanded %s", item->text(0).toUtf8().constData());
	});
	QObject::connect(tree, &QTreeWidget::itemCollapsed, [](const QTreeWidgetItem *item) {
		journal_note("collapsed %s", item->text(0).toUtf8().constData());
	});
	return tree;
}

QWidget *make_child(QWidget *parent)
{
	return new Child(parent);
}

QWidget *(*const makers[])(QWidget *parent) = {
	/* CONTROL_AGREE */ make_agree,
	/* CONTROL_TARGET */ make_target,
	/* CONTROL_SLIDER */ make_slider,
	/* CONTROL_SCROLL */ make_scroll,
	/* CONTROL_INPUT */ make_input,
	/* CONTROL_CONTEXT */ make_context,
	/* CONTROL_COUNTER */ make_counter,
	/* CONTROL_MODAL */ make_modal,
	/* CONTROL_POPUP */ make_popup,
	/* CONTROL_MENU_BAR */ make_menu_bar,
	/* CONTROL_CHOICE */ make_choice,
	/* CONTROL_LIST */ make_list,
	/* CONTROL_TREE */ make_tree,
	/* CONTROL_PASSWORD */ make_password,
	/* CONTROL_SECOND */ make_second,
	/* CONTROL_CHILD */ make_child,
};
static_assert(sizeof(makers) / sizeof(makers[0]) == CONTROL_COUNT, "a maker for each control");

} // namespace

QWidget *control_make(enum control control, QWidget *parent)
{
	return makers[control](parent);
}
