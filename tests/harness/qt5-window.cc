// SPDX-License-Identifier: MIT
#include "qt5.h"

#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <memory>

static QPointer<QDialog> modal;
static QPointer<QWidget> second;

Window::Window(QWidget *parent, Qt::WindowFlags flags, std::function<void()> call)
	: QFrame(parent, flags), hidden(std::move(call))
{
}

void Window::hideEvent(QHideEvent *event)
{
	QFrame::hideEvent(event);
	/* Not when it was iconified. */
	if (!event->spontaneous()) {
		hidden();
	}
}

void window_show_modal()
{
	const QStringList texts = model_words("modal");

	if (modal != nullptr) {
		return;
	}
	auto *dialog = new QDialog(harness.main);
	auto *column = new QVBoxLayout(dialog);
	auto *accept = new QPushButton(texts.value(1));
	auto *cancel = new QPushButton(texts.value(2));

	modal = dialog;
	dialog->setAttribute(Qt::WA_DeleteOnClose);
	dialog->setWindowTitle(model_word(model_title("modal")));
	column->addWidget(new QLabel(texts.value(0)));
	column->addWidget(accept);
	column->addWidget(cancel);
	dialog->resize(260, 140);
	QObject::connect(accept, &QPushButton::clicked, dialog, &QDialog::accept);
	QObject::connect(cancel, &QPushButton::clicked, dialog, &QDialog::reject);
	QObject::connect(dialog, &QDialog::finished, [](int result) {
		/* It is deleted later, but a new one may be opened by what the model does now. */
		modal = nullptr;
		model_set(CONTROL_MODAL, "modal", result == QDialog::Accepted ? "accepted" : "cancelled");
	});
	dialog->open();
}

void window_show_popup(const QWidget *button)
{
	/* Not the model's state, which a fault may have kept from "open". */
	auto picked = std::make_shared<bool>(false);
	auto *popup = new Window(harness.main, Qt::Popup, [picked] {
		if (!*picked) {
			model_change(CONTROL_POPUP, "popup", "closed");
		}
	});
	auto *column = new QVBoxLayout(popup);
	auto *pick = new QPushButton(model_words("popup").value(0));

	popup->setAttribute(Qt::WA_DeleteOnClose);
	popup->setWindowTitle(model_word(model_title("popup")));
	popup->setFrameShape(QFrame::Box);
	column->addWidget(pick);
	QObject::connect(pick, &QPushButton::clicked, [popup, picked] {
		*picked = true;
		popup->close();
		model_change(CONTROL_POPUP, "popup", "picked");
	});
	popup->resize(200, 80);
	popup->move(button->mapToGlobal(QPoint(0, button->height())));
	popup->show();
}

void window_show_second()
{
	if (second != nullptr) {
		second->raise();
		return;
	}
	auto *window = new Window(nullptr, Qt::Window, [] {
		second = nullptr;
		model_change(CONTROL_SECOND, "second", "closed");
	});
	auto *column = new QVBoxLayout(window);
	auto *close = new QPushButton("Close second window");

	second = window;
	window->setAttribute(Qt::WA_DeleteOnClose);
	window->setWindowTitle(model_word(model_title("second")));
	column->addWidget(close);
	QObject::connect(close, &QPushButton::clicked, window, &QWidget::close);
	window->resize(300, 120);
	window->show();
}
