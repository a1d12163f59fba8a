/* SPDX-License-Identifier: MIT */
/* Rows in Qt5: boxes with a text and a button, buttons without a name, and a table of items. */
#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <cstring>
#include <vector>

#include "rows.h"

namespace {

/* One row: its widgets stay, what they stand for may change. */
struct Card {
	QWidget *box;
	QLabel *label;
	QPushButton *button;
};

QWidget *window, *cards, *twins;
QTableWidget *table;
std::vector<Card> rows;
int made;

void set_row(Card &card, const QString &row)
{
	card.label->setText(row);
	card.button->setProperty("row", row);
}

void listen_to(QPushButton *button, const char *where)
{
	QObject::connect(button, &QPushButton::clicked, [button, where] {
		rows_pressed(where, button->property("row").toString().toUtf8().constData());
	});
}

Card new_card(const QString &row)
{
	Card card;

	card.box = new QWidget(cards);
	card.label = new QLabel(card.box);
	card.button = new QPushButton("Keep", card.box);
	auto *layout = new QHBoxLayout(card.box);
	layout->addWidget(card.label);
	layout->addWidget(card.button);
	listen_to(card.button, "card");
	set_row(card, row);
	card.box->show();
	return card;
}

/* The second cell of a row has no text of its own; that a row is selected is what counts. */
void add_items(const QString &row, int place)
{
	int at = place < 0 ? table->rowCount() : place;

	table->insertRow(at);
	table->setItem(at, 0, new QTableWidgetItem(row));
	table->setItem(at, 1, new QTableWidgetItem);
}

void on_selection()
{
	auto chosen = table->selectionModel()->selectedRows();

	if (chosen.size() == 1) {
		rows_pressed("table", chosen[0].data().toString().toUtf8().constData());
	}
}

void add_row(const QString &row, int place)
{
	Card card = new_card(row);

	add_items(row, place);
	static_cast<QVBoxLayout *>(cards->layout())->insertWidget(place, card.box);
	rows.insert(place < 0 ? rows.end() : rows.begin() + place, card);
}

void fill(bool reversed)
{
	for (Card &card : rows) {
		delete card.box;
	}
	rows.clear();
	table->setRowCount(0);
	for (int i = 0; i < ROWS; i++) {
		add_row(rows_names[reversed ? ROWS - 1 - i : i], -1);
	}
}

void add_twin()
{
	auto *button = new QPushButton(twins);

	button->setProperty("row", QString::number(made++));
	listen_to(button, "twin");
	twins->layout()->addWidget(button);
	button->show();
}

void reset()
{
	fill(false);
	qDeleteAll(twins->findChildren<QPushButton *>());
	made = 0;
	for (int i = 0; i < 4; i++) {
		add_twin();
	}
}

void open_window()
{
	window = new QWidget;
	cards = new QWidget(window);
	twins = new QWidget(window);
	table = new QTableWidget(0, 2, window);
	table->setSelectionBehavior(QAbstractItemView::SelectRows);
	table->horizontalHeader()->hide();
	table->verticalHeader()->hide();
	/* All rows are to be seen. */
	table->setMinimumHeight(300);
	QObject::connect(table, &QTableWidget::itemSelectionChanged, on_selection);
	new QVBoxLayout(cards);
	new QHBoxLayout(twins);
	auto *layout = new QVBoxLayout(window);
	layout->addWidget(table);
	layout->addWidget(cards);
	layout->addWidget(twins);
	layout->addWidget(new QLabel(ROWS_SIGN));
	window->setWindowTitle("Harness rows-qt5");
	rows.clear();
	reset();
	window->show();
}

/* The buttons of two rows change places; each then belongs to the row it is in. */
void exchange(Card &a, Card &b)
{
	a.box->layout()->removeWidget(a.button);
	b.box->layout()->removeWidget(b.button);
	std::swap(a.button, b.button);
	a.box->layout()->addWidget(a.button);
	b.box->layout()->addWidget(b.button);
	set_row(a, a.label->text());
	set_row(b, b.label->text());
}

/* Qt's order for accessibility is that of creation: whoever is raised becomes the last. */
void reverse()
{
	for (int i = ROWS - 1; i >= 0; i--) {
		rows[static_cast<size_t>(i)].box->raise();
	}
	table->sortItems(0, Qt::DescendingOrder);
}

void swap_twins()
{
	auto buttons = twins->findChildren<QPushButton *>();

	for (int i : { 1, 0, 2, 3 }) {
		buttons[i]->raise();
	}
}

void change(const char *text, int number)
{
	QString command(text);

	if (command == "reset") {
		reset();
	} else if (command == "window") {
		QWidget *old = window;
		open_window();
		delete old;
	} else if (command == "insert") {
		add_row("new", 0);
	} else if (command == "append") {
		add_row("new", -1);
	} else if (command == "remove") {
		delete rows[static_cast<size_t>(number)].box;
		rows.erase(rows.begin() + number);
		table->removeRow(number);
	} else if (command == "reverse") {
		reverse();
	} else if (command == "rename") {
		set_row(rows[static_cast<size_t>(number)], "renamed");
		table->item(number, 0)->setText("renamed");
	} else if (command == "rebind") {
		for (size_t i = 0; i < ROWS; i++) {
			set_row(rows[i], rows_names[(i + 1) % ROWS]);
			table->item(static_cast<int>(i), 0)->setText(rows_names[(i + 1) % ROWS]);
		}
	} else if (command == "exchange") {
		exchange(rows[0], rows[1]);
	} else if (command == "rebuild") {
		fill(true);
	} else if (command == "swap") {
		swap_twins();
	} else if (command == "twin") {
		add_twin();
	}
}

}

int main(int argc, char **argv)
{
	QApplication application(argc, argv);

	open_window();
	rows_init(argc, argv, "rows-qt5", change);
	return application.exec();
}
