/* SPDX-License-Identifier: MIT */
/*
 * A window that draws its own title bar, as Qt's applications do: a strip that has the window moved
 * when it is pressed, a button below, and a status bar with a grip to resize the window by. Says on
 * stdout what was pressed.
 */
#include <cstdio>

#include <QApplication>
#include <QLabel>
#include <QMainWindow>
#include <QPushButton>
#include <QStatusBar>
#include <QVBoxLayout>
#include <QWindow>

class Title : public QLabel {
public:
	Title() : QLabel("Titled")
	{
		setFixedHeight(36);
		setAlignment(Qt::AlignCenter);
	}

protected:
	void mousePressEvent(QMouseEvent *) override
	{
		window()->windowHandle()->startSystemMove();
	}
};

int main(int argc, char **argv)
{
	QApplication application(argc, argv);
	QMainWindow window;
	QWidget content;
	QVBoxLayout layout(&content);
	QPushButton button("Body");

	window.setWindowFlag(Qt::FramelessWindowHint);
	window.setWindowTitle("Titled");
	QObject::connect(&button, &QPushButton::clicked, [] {
		std::printf("pressed Body\n");
		std::fflush(stdout);
	});
	layout.setContentsMargins(0, 0, 0, 0);
	layout.addWidget(new Title);
	layout.addWidget(&button);
	layout.addStretch();
	window.setCentralWidget(&content);
	window.statusBar()->showMessage("Ready");
	window.resize(420, 260);
	window.show();
	return application.exec();
}
