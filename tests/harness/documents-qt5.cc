/* SPDX-License-Identifier: MIT */
/* One process with two windows of Qt, each with a field; what they hold is in their titles, as in
 * documents.c. */
#include <QApplication>
#include <QLineEdit>
#include <QVBoxLayout>

static void open_window(QWidget *window, const QString &name)
{
	auto *field = new QLineEdit(window);
	auto *layout = new QVBoxLayout(window);

	layout->addWidget(field);
	window->setWindowTitle(name + ":");
	window->resize(400, 120);
	QObject::connect(field, &QLineEdit::textChanged, window,
		[=](const QString &text) { window->setWindowTitle(name + ":" + text); });
	field->setFocus();
	window->show();
}

int main(int argc, char **argv)
{
	QApplication application(argc, argv);
	QWidget left, right;

	open_window(&left, "left");
	open_window(&right, "right");
	return QApplication::exec();
}
