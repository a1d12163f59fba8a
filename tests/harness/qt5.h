/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_QT5_H
#define HARNESS_QT5_H

#include <QAbstractNativeEventFilter>
#include <QApplication>
#include <QFrame>
#include <QHideEvent>
#include <QPointer>

#include <array>
#include <deque>
#include <functional>

#include "model.h"

/*
 * The Qt 5 harness: qt5.cc runs it, qt5-control.cc makes the controls, qt5-window.cc what opens
 * besides the main window, qt5-witness.cc watches. No class has signals or slots of its own, so
 * moc is not needed.
 */
struct Harness {
	QWidget *main;
	std::array<QPointer<QWidget>, CONTROL_COUNT> controls; /* null: vanished */
};

extern Harness harness;

/* The model's words as Qt's. */
QStringList model_words(const char *list);
QString model_word(const char *text);
void model_set(enum control control, const char *label, const QString &value);

/* A new widget for that control, as the model says it is; the caller names and places it. */
QWidget *control_make(enum control control, QWidget *parent);

void window_show_modal();
void window_show_popup(const QWidget *button);
void window_show_second();

/* A window that tells when it is gone, whoever closed it. */
class Window : public QFrame {
public:
	Window(QWidget *parent, Qt::WindowFlags flags, std::function<void()> call);

protected:
	void hideEvent(QHideEvent *event) override;

private:
	std::function<void()> hidden;
};

/* Journals what each widget receives, and in colour mode paints the controls. */
class Witness : public QApplication, public QAbstractNativeEventFilter {
public:
	/* The control that this widget is, or is a part or a menu of; CONTROL_COUNT if none. */
	using Resolver = std::function<enum control(const QWidget *)>;

	Witness(int &argc, char **argv, Resolver resolver);

	/* Calls `call` after `window` was painted for the first time, or after a second: one that is
	 * below others may never be. In colour mode only what is in this window is painted. */
	void when_painted(const QWidget *window, std::function<void()> call);

	/* Not an event filter: those see an event again for each parent it propagates to, this once. */
	bool notify(QObject *receiver, QEvent *event) override;
	bool nativeEventFilter(const QByteArray &type, void *message, long *result) override;

private:
	struct Sent {
		int type; /* of the core protocol */
		quint32 time;
	};

	void record(const QWidget *widget, const QEvent *event);
	void record_button(const QWidget *widget, const QEvent *event, const char *type, int core);
	bool was_sent(int core, const QEvent *event);
	bool paint(QWidget *widget);
	void tell_painted();

	Resolver resolve;
	const QWidget *awaited = nullptr;
	std::function<void()> painted;
	std::deque<Sent> sent;
	bool focus_sent = false;
	bool is_down = false; /* a button, so far as was told */
};

#endif
