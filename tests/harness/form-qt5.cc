// SPDX-License-Identifier: MIT
/* The form in Qt 5; see form.h. */
#include <QActionGroup>
#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QCommandLinkButton>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>
#include <QTimer>
#include <QTreeWidget>

#include "form.h"
#include "journal.h"

namespace {

QVBoxLayout *left, *right;
QLabel *status;

void show_status(const char *text)
{
	status->setText(QString::fromUtf8(text));
}

void set(const char *label, const QString &value)
{
	form_set(label, value.toUtf8().constData());
}

void set(const char *label, bool on)
{
	form_set(label, on ? "true" : "false");
}

template <typename T>
T *add(QVBoxLayout *box, T *widget, const char *name)
{
	widget->setAccessibleName(name);
	box->addWidget(widget);
	return widget;
}

void build_buttons()
{
	auto *push = add(left, new QPushButton("Push me"), "Push me");
	auto *toggle = add(left, new QPushButton("Toggle me"), "Toggle me");
	auto *check = add(left, new QCheckBox("Check me"), "Check me");
	auto *a = add(left, new QRadioButton("Radio A"), "Radio A");
	auto *b = add(left, new QRadioButton("Radio B"), "Radio B");
	auto *link = add(left, new QCommandLinkButton("Link me"), "Link me");
	auto *context = add(left, new QPushButton("Context me"), "Context me");
	auto *second = add(left, new QPushButton("Second window"), "Second window");
	auto *rename = new QAction("Rename thing", context);

	toggle->setCheckable(true);
	a->setChecked(true);
	context->setContextMenuPolicy(Qt::ActionsContextMenu);
	context->addAction(rename);
	QObject::connect(push, &QPushButton::clicked, [] { form_count("pushed"); });
	QObject::connect(toggle, &QPushButton::toggled, [](bool on) { set("toggled", on); });
	QObject::connect(check, &QCheckBox::toggled, [](bool on) { set("checked", on); });
	QObject::connect(b, &QRadioButton::toggled, [](bool on) { set("radio", QString(on ? "B" : "A")); });
	QObject::connect(link, &QPushButton::clicked, [] { form_count("linked"); });
	QObject::connect(rename, &QAction::triggered, [] { form_set("context", "Rename"); });
	QObject::connect(second, &QPushButton::clicked, [] { form_count("second"); });
}

/* With --menus: a button with a menu, and one that shows a window of its own over the others until
 * that is answered. */
void build_menu_buttons()
{
	auto *drop = add(left, new QPushButton("Drop"), "Drop");
	auto *hover = add(left, new QPushButton("Hover"), "Hover");
	auto *popover = new QWidget(hover, Qt::Popup);
	auto *pick = new QPushButton("Pick thing", popover);
	auto *menu = new QMenu(drop);

	QObject::connect(menu->addAction("Dropped thing"), &QAction::triggered,
		[] { form_set("context", "Dropped"); });
	drop->setMenu(menu);
	popover->setMinimumSize(120, 60);
	QObject::connect(pick, &QPushButton::clicked, [popover] {
		form_set("context", "Picked");
		popover->close();
	});
	QObject::connect(hover, &QPushButton::clicked, [hover, popover] {
		popover->move(hover->mapToGlobal(QPoint(0, hover->height())));
		popover->show();
	});
}

void build_tabs()
{
	auto *tabs = add(right, new QTabWidget, "Tabs");

	tabs->addTab(new QLineEdit("First page"), "Tab one");
	/* More than fits, on a page that is not shown at first. */
	auto *lines = new QPlainTextEdit(QString("a line\n").repeated(50));
	tabs->addTab(lines, "Tab two");
	QObject::connect(lines->verticalScrollBar(), &QScrollBar::valueChanged, [] { form_count("scrolled"); });
	tabs->setMaximumHeight(80);
	QObject::connect(tabs, &QTabWidget::currentChanged, [](int now) {
		form_set("tab", now == 0 ? "one" : "two");
	});
}

void build_rows()
{
	auto *list = add(right, new QListWidget, "Rows");

	list->addItems({"Row 1", "Row 2", "Row 3"});
	QObject::connect(list, &QListWidget::itemSelectionChanged, [list] {
		for (const QListWidgetItem *item : list->selectedItems()) {
			set("row", item->text().mid(4));
		}
	});
}

void build_cells()
{
	auto *table = add(right, new QTableWidget(2, 2), "Cells");
	const QStringList texts = {"alpha", "10", "beta", "20"};

	for (int i = 0; i < 4; i++) {
		table->setItem(i / 2, i % 2, new QTableWidgetItem(texts[i]));
	}
	table->setHorizontalHeaderLabels({"Name", "Size"});
	table->setEditTriggers(QAbstractItemView::NoEditTriggers);
	QObject::connect(table, &QTableWidget::itemSelectionChanged, [table] {
		for (const QTableWidgetItem *item : table->selectedItems()) {
			set("cell", table->item(item->row(), 0)->text());
		}
	});
	QObject::connect(table, &QTableWidget::cellActivated, [table](int row, int) {
		set("activated", table->item(row, 0)->text());
	});
}

void build_branches()
{
	auto *tree = add(right, new QTreeWidget, "Branches");
	auto *stem = new QTreeWidgetItem(tree, QStringList("Stem"));

	new QTreeWidgetItem(stem, QStringList("Leaf"));
	tree->setHeaderHidden(true);
	QObject::connect(tree, &QTreeWidget::itemSelectionChanged, [tree] {
		for (const QTreeWidgetItem *item : tree->selectedItems()) {
			set("branch", item->text(0));
		}
	});
	QObject::connect(tree, &QTreeWidget::itemExpanded, [] { form_set("expanded", "true"); });
	QObject::connect(tree, &QTreeWidget::itemCollapsed, [] { form_set("expanded", "false"); });
}

void build_menus(QVBoxLayout *box)
{
	auto *bar = new QMenuBar;
	auto *file = bar->addMenu("&File"), *view = bar->addMenu("&View");
	auto *open = file->addAction("Open thing…");
	auto *deep = file->addMenu("&More")->addAction("Deep thing");
	auto *grey = file->addAction("Grey thing");
	auto *ask = file->addAction("Ask thing");
	auto *grid = view->addAction("Show grid");
	auto *sizes = new QActionGroup(bar);

	bar->setNativeMenuBar(false);
	open->setShortcut(QKeySequence("Ctrl+O"));
	grey->setEnabled(false);
	grid->setCheckable(true);
	for (QAction *action : {open, deep, grey}) {
		QObject::connect(action, &QAction::triggered, [action] { set("menu", action->text()); });
	}
	/* Its action lasts until the dialog is closed, and so does the answer to who asked for it. */
	QObject::connect(ask, &QAction::triggered, [bar] {
		QMessageBox question(QMessageBox::Question, "The question", "What?",
			QMessageBox::Ok, bar);
		form_set("asked", "open");
		question.exec();
		form_set("asked", "closed");
	});
	for (const char *name : {"Small", "Large"}) {
		auto *size = view->addAction(name);

		size->setCheckable(true);
		size->setActionGroup(sizes);
		size->setChecked(qstrcmp(name, "Small") == 0);
		QObject::connect(size, &QAction::toggled, [name](bool on) {
			if (on) {
				form_set("size", name);
			}
		});
	}
	QObject::connect(grid, &QAction::toggled, [](bool on) { set("grid", on); });
	box->addWidget(bar);
}

void build_fields()
{
	auto *combo = add(left, new QComboBox, "Combo");
	auto *spin = add(left, new QSpinBox, "Spin");
	auto *slide = add(left, new QSlider(Qt::Horizontal), "Slide");
	auto *entry = add(left, new QLineEdit("typed"), "Entry");

	combo->addItems({"One", "Two"});
	/* A tenth of it, which is what Qt's own action goes by, is no step. */
	spin->setRange(0, 1000);
	spin->setValue(5);
	slide->setRange(0, 10);
	slide->setValue(5);
	QObject::connect(combo, &QComboBox::currentTextChanged,
		[](const QString &text) { set("combo", text); });
	QObject::connect(spin, QOverload<int>::of(&QSpinBox::valueChanged),
		[](int value) { set("spin", QString::number(value)); });
	QObject::connect(slide, &QSlider::valueChanged,
		[](int value) { set("slide", QString::number(value)); });
	QObject::connect(entry, &QLineEdit::textChanged, [](const QString &text) { set("text", text); });
	QObject::connect(entry, &QLineEdit::returnPressed, [entry] { set("entered", entry->text()); });
}

} // namespace

int main(int argc, char **argv)
{
	form_init(argc, argv, show_status);
	QApplication app(argc, argv);
	QWidget window;
	auto *box = new QVBoxLayout(&window);
	auto *columns = new QHBoxLayout;

	left = new QVBoxLayout;
	right = new QVBoxLayout;
	window.setWindowTitle("Harness form-qt5");
	build_menus(box);
	columns->addLayout(left);
	columns->addLayout(right);
	box->addLayout(columns);
	status = new QLabel("nothing yet");
	box->addWidget(status);
	build_fields();
	build_tabs();
	build_rows();
	build_cells();
	build_branches();
	build_buttons();
	if (argc > 1 && qstrcmp(argv[argc - 1], "--menus") == 0) {
		build_menu_buttons();
	}
	window.show();
	QTimer::singleShot(0, [] { journal_ready("qt5"); });
	return app.exec();
}
