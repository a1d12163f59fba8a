// SPDX-License-Identifier: MIT
#include "qt5.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QWheelEvent>

#include <utility>

#include <xcb/xcb.h>
#include <xkbcommon/xkbcommon.h>

#include "journal.h"

Witness::Witness(int &argc, char **argv, Resolver resolver)
	: QApplication(argc, argv), resolve(std::move(resolver))
{
	installNativeEventFilter(this);
}

void Witness::when_painted(const QWidget *window, std::function<void()> call)
{
	awaited = window;
	painted = std::move(call);
	QTimer::singleShot(1000, this, [this] { tell_painted(); });
}

void Witness::tell_painted()
{
	if (painted) {
		std::exchange(painted, nullptr)();
	}
}

/*
 * Qt does not say whether an event was sent by another client: spontaneous() is true for those too.
 * So sent ones are remembered here and recognised by their time when the widget gets them.
 */
bool Witness::nativeEventFilter(const QByteArray &type, void *message, long *)
{
	if (type != "xcb_generic_event_t") {
		return false;
	}
	const auto *event = static_cast<const xcb_generic_event_t *>(message);
	const int core = event->response_type & 0x7f;
	const bool by_client = event->response_type & 0x80;

	switch (core) {
	case XCB_FOCUS_IN:
	case XCB_FOCUS_OUT:
		focus_sent = by_client;
		break;
	case XCB_KEY_PRESS:
	case XCB_KEY_RELEASE:
	case XCB_BUTTON_PRESS:
	case XCB_BUTTON_RELEASE:
	case XCB_MOTION_NOTIFY:
		if (by_client) {
			/* The time is at the same place in all five. */
			sent.push_back({core, reinterpret_cast<const xcb_key_press_event_t *>(event)->time});
			if (sent.size() > 64) {
				sent.pop_front(); /* those that no widget ever got */
			}
		}
		break;
	default:
		break;
	}
	return false;
}

bool Witness::was_sent(int core, const QEvent *event)
{
	const auto time = static_cast<quint32>(static_cast<const QInputEvent *>(event)->timestamp());

	for (auto it = sent.begin(); it != sent.end(); ++it) {
		if (it->type == core && it->time == time) {
			sent.erase(it);
			return true;
		}
	}
	/* What the application itself made; a wheel's event is always remade on its way. */
	return !event->spontaneous() && event->type() != QEvent::Wheel;
}

static int button_number(Qt::MouseButton button)
{
	switch (button) {
	case Qt::LeftButton:
		return 1;
	case Qt::MiddleButton:
		return 2;
	case Qt::RightButton:
		return 3;
	case Qt::BackButton:
		return 8;
	case Qt::ForwardButton:
		return 9;
	default:
		return 0;
	}
}

static const char *wheel_direction(QPoint delta)
{
	if (qAbs(delta.x()) > qAbs(delta.y())) {
		return delta.x() > 0 ? "left" : "right";
	}
	return delta.y() > 0 ? "up" : "down";
}

static const char *name_of(enum control control)
{
	return control == CONTROL_COUNT ? "" : model_id(control);
}

/* As X counts them. */
static unsigned modifier_bits(Qt::KeyboardModifiers modifiers)
{
	return (modifiers & Qt::ShiftModifier ? 1U : 0U) | (modifiers & Qt::ControlModifier ? 4U : 0U) |
		(modifiers & Qt::AltModifier ? 8U : 0U) | (modifiers & Qt::MetaModifier ? 64U : 0U);
}

void Witness::record_button(const QWidget *widget, const QEvent *event, const char *type, int core)
{
	const auto *mouse = static_cast<const QMouseEvent *>(event);
	const QByteArray number = QByteArray::number(button_number(mouse->button()));

	if (core == XCB_BUTTON_PRESS) {
		journal_modifiers(modifier_bits(mouse->modifiers()));
	}
	journal_event(type, name_of(resolve(widget)), mouse->globalX(), mouse->globalY(),
		core == XCB_MOTION_NOTIFY ? nullptr : number.constData(), was_sent(core, event));
}

void Witness::record(const QWidget *widget, const QEvent *event)
{
	const enum control control = resolve(widget);
	/* Enter and leave come for each widget on the way; a control's parts are not told apart. */
	const bool is_part = control != CONTROL_COUNT && !widget->isWindow() &&
		widget->parentWidget() != nullptr && resolve(widget->parentWidget()) == control;

	switch (event->type()) {
	case QEvent::KeyPress:
	case QEvent::KeyRelease: {
		const auto *key = static_cast<const QKeyEvent *>(event);
		const bool press = event->type() == QEvent::KeyPress;
		char name[64];

		if (xkb_keysym_get_name(key->nativeVirtualKey(), name, sizeof(name)) < 0) {
			name[0] = '\0';
		}
		journal_event(press ? "key_press" : "key_release", name_of(control), -1, -1, name,
			was_sent(press ? XCB_KEY_PRESS : XCB_KEY_RELEASE, event));
		break;
	}
	case QEvent::MouseButtonPress:
		is_down = true;
		record_button(widget, event, "button_press", XCB_BUTTON_PRESS);
		break;
	case QEvent::MouseButtonDblClick:
		/* Comes after the press it is made of, or instead of it. */
		if (!std::exchange(is_down, true)) {
			record_button(widget, event, "button_press", XCB_BUTTON_PRESS);
		}
		break;
	case QEvent::MouseButtonRelease:
		is_down = false;
		record_button(widget, event, "button_release", XCB_BUTTON_RELEASE);
		break;
	case QEvent::MouseMove:
		record_button(widget, event, "motion", XCB_MOTION_NOTIFY);
		break;
	case QEvent::Wheel: {
		const auto *wheel = static_cast<const QWheelEvent *>(event);
		const QPoint at = wheel->globalPosition().toPoint();

		journal_modifiers(modifier_bits(wheel->modifiers()));
		journal_event("scroll", name_of(control), at.x(), at.y(),
			wheel_direction(wheel->angleDelta()), was_sent(XCB_BUTTON_PRESS, event));
		break;
	}
	case QEvent::FocusIn:
		journal_event("focus_in", name_of(control), -1, -1, nullptr, focus_sent);
		break;
	case QEvent::FocusOut:
		journal_event("focus_out", name_of(control), -1, -1, nullptr, focus_sent);
		break;
	case QEvent::WindowActivate:
	case QEvent::WindowDeactivate:
		if (widget->isWindow()) {
			journal_event(event->type() == QEvent::WindowActivate ? "focus_in" : "focus_out",
				name_of(control), -1, -1, "window", focus_sent);
		}
		break;
	case QEvent::Enter:
		if (!is_part) {
			const QPoint at = static_cast<const QEnterEvent *>(event)->globalPos();

			journal_event("enter", name_of(control), at.x(), at.y(), nullptr, 0);
		}
		break;
	case QEvent::Leave:
		if (!is_part) {
			journal_event("leave", name_of(control), -1, -1, nullptr, 0);
		}
		break;
	default:
		break;
	}
}

/* Every part of a control is filled, so that neither text nor a scroll bar nor a style shows. */
bool Witness::paint(QWidget *widget)
{
	const enum control control = resolve(widget);

	if (control == CONTROL_COUNT || widget->window() != awaited) {
		return false;
	}
	QPainter(widget).fillRect(widget->rect(), QColor(model_colour(control)));
	return true;
}

bool Witness::notify(QObject *receiver, QEvent *event)
{
	if (!receiver->isWidgetType()) {
		return QApplication::notify(receiver, event);
	}
	auto *widget = static_cast<QWidget *>(receiver);

	if (event->type() == QEvent::Paint) {
		if (model_wants_colours() && paint(widget)) {
			return true;
		}
		if (painted && widget == awaited) {
			QTimer::singleShot(0, this, [this] { tell_painted(); });
		}
	} else {
		record(widget, event);
	}
	return QApplication::notify(receiver, event);
}
