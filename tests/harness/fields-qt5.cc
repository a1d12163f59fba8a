// SPDX-License-Identifier: MIT
/*
 * Controls of Qt 5 that show one thing and do another: dates, numbers with a unit, a combo box that no wheel moves, items
 * that are selected and not current, boxes that are toggled and not clicked. What reached the application stands in
 * the field "Told", which the test reads itself.
 */
#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDateEdit>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTabWidget>
#include <QTimeEdit>
#include <QWheelEvent>

namespace {

QVBoxLayout *column;
QLineEdit *told;

void tell(const QString &what)
{
	told->setText(what);
}

template <typename T>
T *add(T *widget, const char *name)
{
	widget->setAccessibleName(name);
	column->addWidget(widget);
	return widget;
}

/* As many applications do, lest scrolling a page changes what is on it. */
class Unmoved : public QObject {
	bool eventFilter(QObject *, QEvent *event) override
	{
		event->setAccepted(event->type() != QEvent::Wheel);
		return event->type() == QEvent::Wheel;
	}
};

void build_numbers()
{
	auto *date = add(new QDateEdit(QDate(2020, 1, 2)), "Date");
	date->setDisplayFormat("yyyy-MM-dd");
	QObject::connect(date, &QDateEdit::dateChanged, [](const QDate &now) { tell("date=" + now.toString(Qt::ISODate)); });
	auto *time = add(new QTimeEdit(QTime(10, 20)), "Time");
	time->setDisplayFormat("HH:mm");
	QObject::connect(time, &QTimeEdit::timeChanged, [](const QTime &now) { tell("time=" + now.toString("HH:mm")); });
	auto *spin = add(new QSpinBox, "Spin");
	spin->setRange(0, 5000);
	spin->setSingleStep(5);
	spin->setSuffix(" sec");
	QObject::connect(spin, QOverload<int>::of(&QSpinBox::valueChanged), [](int now) { tell(QString("spin=%1").arg(now)); });
}

void build_combos()
{
	auto *still = add(new QComboBox, "Still");
	still->addItems({ "Uno", "Due", "Tre", "Quattro" });
	still->installEventFilter(new Unmoved);
	QObject::connect(still, &QComboBox::currentTextChanged, [](const QString &now) { tell("still=" + now); });
	auto *free = add(new QComboBox, "Free");
	free->setEditable(true);
	free->addItems({ "Ein", "Zwei", "Drei" });
	/* As one in a tool bar does that gives the focus back to what it is about. */
	QObject::connect(free, QOverload<int>::of(&QComboBox::activated), [](int now) {
		tell(QString("free=%1").arg(now));
		told->setFocus();
	});
}

void build_list()
{
	auto *list = add(new QListWidget, "Fruits");
	list->setFixedHeight(80);
	for (const char *text : { "Apple", "Pear", "Plum" }) {
		auto *item = new QListWidgetItem(text, list);
		item->setCheckState(Qt::Unchecked);
	}
	QObject::connect(list, &QListWidget::currentTextChanged, [](const QString &now) { tell("current=" + now); });
	QObject::connect(list, &QListWidget::itemChanged, [](QListWidgetItem *item) {
		tell((item->checkState() == Qt::Checked ? "marked=" : "cleared=") + item->text());
	});
}

void build_boxes()
{
	auto *box = add(new QCheckBox("Box"), "Box");
	QObject::connect(box, &QCheckBox::clicked, [](bool on) { tell(on ? "box=on" : "box=off"); });
	auto *menu = add(new QPushButton("Drop"), "Drop");
	menu->setMenu(new QMenu(menu));
	menu->menu()->addAction("Entry");
	auto *tabs = add(new QTabWidget, "Tabs");
	tabs->addTab(new QWidget, "Near");
	tabs->addTab(new QWidget, "Far");
	tabs->setFixedHeight(50);
}

/* The lower part of the page is behind the button. */
void build_page()
{
	auto *area = add(new QScrollArea, "Page");
	auto *page = new QWidget;
	auto *rows = new QVBoxLayout(page);
	rows->addWidget(new QCheckBox("Above"));
	rows->addSpacing(30);
	auto *below = new QCheckBox("Below");
	rows->addWidget(below);
	area->setWidget(page);
	area->setFixedHeight(45);
	auto *behind = add(new QPushButton("Behind"), "Behind");
	behind->setFixedHeight(80);
	QObject::connect(below, &QCheckBox::clicked, [] { tell("below"); });
	QObject::connect(behind, &QPushButton::clicked, [] { tell("behind"); });
}

/* One that is painted and not told, and one that opens a window for no longer than nobody sees it. */
void build_menu(QMainWindow *window)
{
	QMenu *menu = window->menuBar()->addMenu("Odd");
	auto *dye = add(new QWidget, "Dyed");
	dye->setFixedHeight(10);
	dye->setAutoFillBackground(true);
	menu->addAction("Dye", [dye] { dye->setPalette(QPalette(Qt::red)); });
	menu->addAction("Flash", [] {
		QWidget tip(nullptr, Qt::ToolTip);
		tip.resize(30, 10);
		tip.show();
	});
}

} // namespace

int main(int argc, char **argv)
{
	QApplication app(argc, argv);
	QMainWindow window;
	auto *middle = new QWidget;
	window.setCentralWidget(middle);
	window.setWindowTitle("Fields of Qt");
	column = new QVBoxLayout(middle);
	told = new QLineEdit("nothing");
	told->setReadOnly(true);
	add(told, "Told");
	build_numbers();
	build_combos();
	build_list();
	build_boxes();
	build_page();
	build_menu(&window);
	window.resize(400, 600);
	window.show();
	return QApplication::exec();
}
