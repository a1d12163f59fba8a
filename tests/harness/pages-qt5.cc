// SPDX-License-Identifier: MIT
/*
 * Pages in Qt 5, one of which is shown, with what is scrolled out on it: the first has a table of cells and an icon view in which
 * several can be selected, the second a list at the same place. States in the journal: "cell" is what is current in the table, "icons"
 * what is selected in the icon view, "item" what is current in the list, "pressed" how often a button was pressed in any of them.
 */
#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QListView>
#include <QListWidget>
#include <QMouseEvent>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <cstdlib>
#include <cstring>

#include "journal.h"
#include "rows.h"

namespace {

const int ROW_COUNT = 60;

/* Counts what a pointer presses. */
class Presses : public QObject {
public:
	bool eventFilter(QObject *watched, QEvent *event) override
	{
		if (event->type() == QEvent::MouseButtonPress) {
			QByteArray was = QByteArray::number(count), now = QByteArray::number(++count);
			journal_state("pressed", now.constData(), was.constData());
		}
		return QObject::eventFilter(watched, event);
	}

private:
	int count = 0;
};

void tell(const char *label, const QString &value)
{
	journal_state(label, value.toUtf8().constData(), "");
}

QWidget *new_table(Presses *presses)
{
	auto *table = new QTableWidget(ROW_COUNT, 3);

	for (int i = 0; i < ROW_COUNT * 3; i++) {
		table->setItem(i / 3, i % 3, new QTableWidgetItem(QString("c%1.%2").arg(i / 3).arg(i % 3)));
	}
	table->setAccessibleName("Cells");
	table->viewport()->installEventFilter(presses);
	QObject::connect(table, &QTableWidget::currentItemChanged, [](QTableWidgetItem *now) { tell("cell", now ? now->text() : "none"); });
	return table;
}

/* As file managers have them: of the columns of their model only the first is shown, the others have no place. */
QWidget *new_icons(Presses *presses)
{
	auto *icons = new QListView;
	auto *model = new QStandardItemModel(icons);

	for (int i = 0; i < ROW_COUNT; i++) {
		model->appendRow({ new QStandardItem(QString("icon%1").arg(i)), new QStandardItem(QString("note%1").arg(i)) });
	}
	icons->setModel(model);
	icons->setViewMode(QListView::IconMode);
	/* So that most are scrolled out. */
	icons->setGridSize(QSize(80, 60));
	icons->setMovement(QListView::Static);
	icons->setResizeMode(QListView::Adjust);
	icons->setSelectionMode(QAbstractItemView::ExtendedSelection);
	icons->viewport()->installEventFilter(presses);
	QObject::connect(icons->selectionModel(), &QItemSelectionModel::selectionChanged, [icons] {
		QStringList names;
		for (const QModelIndex &index : icons->selectionModel()->selectedIndexes()) {
			if (index.column() == 0) {
				names << index.data().toString();
			}
		}
		names.sort();
		tell("icons", names.join(" "));
	});
	return icons;
}

QWidget *new_list(Presses *presses)
{
	auto *list = new QListWidget;

	for (int i = 0; i < 10; i++) {
		list->addItem(QString("hidden%1").arg(i));
	}
	list->viewport()->installEventFilter(presses);
	QObject::connect(list, &QListWidget::currentItemChanged, [](QListWidgetItem *now) { tell("item", now ? now->text() : "none"); });
	return list;
}

} // namespace

int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--journal-fd") == 0) {
			journal_open(atoi(argv[i + 1]));
		}
	}
	QApplication app(argc, argv);
	QWidget window;
	Presses presses;
	auto *tabs = new QTabWidget;
	auto *front = new QWidget;
	auto *box = new QVBoxLayout(front);

	box->addWidget(new_table(&presses));
	box->addWidget(new_icons(&presses));
	tabs->addTab(front, "Front");
	tabs->addTab(new_list(&presses), "Back");
	auto *outer = new QVBoxLayout(&window);
	outer->addWidget(tabs);
	outer->addWidget(new QLabel(ROWS_SIGN));
	window.setWindowTitle("Harness pages-qt5");
	window.resize(420, 460);
	/* A page that was never shown has no places that anybody could take for something. */
	tabs->setCurrentIndex(1);
	window.show();
	tell("cell", "none");
	tell("icons", "");
	tell("item", "none");
	tell("pressed", "0");
	QTimer::singleShot(300, [tabs] {
		tabs->setCurrentIndex(0);
		QTimer::singleShot(300, [] { journal_ready("pages-qt5"); });
	});
	return app.exec();
}
