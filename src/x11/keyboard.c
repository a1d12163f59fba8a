/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/keyboard.h"

#include <stdlib.h>
#include <xcb/xinput.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include "x11/batch.h"
#include "x11/courtesy.h"
#include "x11/one-focus.h"
#include "x11/ping.h"
#include "x11/quirks.h"
#include "x11/receipt.h"
#include "x11/shield.h"
#include "x11/standing.h"
#include "x11/user-keys.h"
#include "x11/xim.h"

enum {
	USER_MS = 3000,      /* for the user to let a modifier go */
	MOST_UNREAD = 64,    /* keys that the application may have before it */
	RECEIPT_MS = 10000,  /* for it to read them */
	FIRST_RECEIPT_MS = 3000,
	LAST_RECEIPT_MS = 1000,
	RECEIPT_TRIES = 5,   /* then it is taken to be hung */
	PAGE_MS = 150,       /* for a page to hand back a key that it does not want */
};

/* All modifiers that a batch holds at some time are noted before the first of them. */
static bool note_modifiers(const struct typing *typing, const struct press *presses, int count,
	struct held *held, GError **error)
{
	unsigned needed = 0;
	for (int i = 0; i < count; i++) {
		needed |= presses[i].modifiers;
	}
	return held_note(held, typing->device, typing->server, needed, error);
}

static void press_key(struct reach *reach, xcb_window_t shield, xcb_keycode_t code)
{
	if (shield != XCB_WINDOW_NONE) {
		shield_press(reach, shield, code);
	} else {
		device_key(reach->server, code, true);
	}
}

static void press_all(struct reach *reach, const struct press *presses, int count, const struct held *held)
{
	xcb_window_t window = XCB_WINDOW_NONE;
	for (int i = 0; i < count && window == XCB_WINDOW_NONE; i++) {
		window = presses[i].shielded ? shield_window(reach) : XCB_WINDOW_NONE;
	}
	for (int i = 0; i < count; i++) {
		const struct press *press = &presses[i];
		xcb_window_t shield = press->shielded ? window : XCB_WINDOW_NONE;
		for (int k = 0; k < MODIFIERS; k++) {
			if ((press->modifiers & 1u << k) != 0) {
				press_key(reach, shield, held->keys[k]);
			}
		}
		press_key(reach, shield, press->stroke.code);
		device_key(reach->server, press->stroke.code, false);
		for (int k = MODIFIERS; k-- > 0;) {
			if ((press->modifiers & 1u << k) != 0) {
				device_key(reach->server, held->keys[k], false);
			}
		}
	}
}

/* Some toolkits take keys only while they think their window has the focus. */
static void tell_focus(const struct typing *typing, bool in)
{
	if (!typing->front && quirks_has(typing->toolkit, QUIRK_FOCUS_FOR_KEYS)) {
		focus_tell(typing->server, typing->window, in);
	}
}

/* How far a call has come. */
struct progress {
	int done;            /* keys that the server took */
	int unread;          /* of those the application may not have read */
	bool proven;         /* the application has said what it has read */
	bool unproven;       /* it does not, or not any more */
};

/* Nothing can come in between while the server is grabbed: the keys go where the focus is now. */
static bool front_begin(const struct typing *typing, struct reach *reach, GError **error)
{
	*reach = (struct reach){ .device = typing->device, .server = typing->server, .target = typing->window,
		.stays = true };
	device_grab_server(typing->device, typing->server);
	if (standing_is_at(typing->server, typing->window)) {
		return true;
	}
	reach_end(reach);
	if (!x11_failed(typing->server)) {
		g_set_error(error, CUA_ERROR, ERROR_USER_ACTIVE,
			"The window lost the user's keyboard before all keys were pressed");
	}
	return false;
}

static enum batch_end send_batch(const struct typing *typing, const struct chord *chords, int count,
	struct progress *progress, GError **error)
{
	struct press presses[BATCH];
	struct reach reach;
	struct held held = { 0 };
	int ready = 0;
	if (typing->front ? !front_begin(typing, &reach, error)
		: !reach_begin(&reach, typing->device, typing->server, typing->window, typing->point, error)) {
		return BATCH_FAILED;
	}
	/* The user may have come to another window of it meanwhile, and our keyboard to any. */
	enum batch_end end = !typing->front
			&& (!one_focus_allows(
				    typing->server, typing->window, typing->toolkit, false, error)
				|| !one_focus_release(
					typing->server, typing->device->master.keyboard))
		? BATCH_FAILED
		: batch_plan(typing, chords, count, progress->unproven, presses, &ready, error);
	if (end == BATCH_SENT && !note_modifiers(typing, presses, ready, &held, error)) {
		end = BATCH_FAILED;
	}
	if (end == BATCH_SENT) {
		if (progress->done == 0) {
			tell_focus(typing, true);
		}
		press_all(&reach, presses, ready, &held);
		progress->done += ready;
		progress->unread += ready;
	}
	reach_end(&reach);
	if (!x11_failed(typing->server)) {
		held_drop(&held);
		spares_settle(&typing->device->spares);
	}
	return end;
}

/* Waits until the application has read everything; says whether it has. */
static bool take_receipt(const struct typing *typing, struct progress *progress)
{
	/* Whoever answers no ping and has never said it may not know how to. */
	bool knows = progress->proven || ping_answers(typing->server, typing->window);
	int ms = knows ? RECEIPT_MS : typing->handed ? LAST_RECEIPT_MS : FIRST_RECEIPT_MS;
	bool read = receipt_wait(typing->server, typing->window, progress->unread, ms);
	if (read) {
		spares_consumed(&typing->device->spares);
		progress->unread = 0;
		progress->proven = true;
		typing->device->mute = XCB_WINDOW_NONE;
	}
	progress->unproven = !read;
	return read;
}

/*
 * A long text does not run ahead of the application: what it has not read when it hangs would come whenever it goes
 * on. False with an error if it hangs.
 */
static bool keep_pace(const struct typing *typing, struct progress *progress, GError **error)
{
	if (typing->handed && !progress->unproven) {
		/* Input methods mix up keys that come to an application without the focus before the last was handed back. */
		take_receipt(typing, progress);
		return !x11_failed(typing->server);
	}
	if (progress->unread < MOST_UNREAD || progress->unproven
		|| (!typing->device->spares.held && !ping_answers(typing->server, typing->window))
		|| take_receipt(typing, progress) || !ping_answers(typing->server, typing->window)) {
		return !x11_failed(typing->server);
	}
	g_set_error(error, CUA_ERROR, ERROR_APP_UNRESPONSIVE,
		"The application does not say that it has read the last %d keys", progress->unread);
	return false;
}

/* What a batch waits for; false with an error if it does not come. */
static bool wait_for(const struct typing *typing, enum batch_end end, const struct chord *next,
	struct progress *progress, struct deadline patience, GError **error)
{
	struct spares_user user = device_spares(typing->device, typing->server);
	switch (end) {
	case BATCH_USER:
		if (deadline_left(patience) > 0
			&& user_keys_wait(typing->server, next, typing->text, patience)) {
			return true;
		}
		g_set_error(error, CUA_ERROR, ERROR_USER_ACTIVE,
			"The user holds a modifier key, which this application takes for the agent's, too");
		return false;
	case BATCH_WAIT:
		/* Otherwise there may be keys that were not pressed yet. */
		take_receipt(typing, progress);
		return !x11_failed(typing->server);
	case BATCH_FRESH:
		/* At the first of them it may be about to read of the change, at the second it has. */
		if (receipt_wait(typing->server, typing->window, 0, RECEIPT_MS)
			&& receipt_wait(typing->server, typing->window, 0, RECEIPT_MS)) {
			user.spares->fresh = false;
			return true;
		}
		g_set_error(error, CUA_ERROR, ERROR_APP_UNRESPONSIVE,
			"The application did not say that it has read what the keys of the keyboard mean now");
		return false;
	case BATCH_UNREAD:
		g_set_error(error, CUA_ERROR, ERROR_APP_UNRESPONSIVE,
			"The application did not say that it has read the keys pressed so far, so their symbols cannot be "
			"used for others yet");
		return false;
	case BATCH_TAKEN:
		if (spares_wait(&user, typing->deadline)) {
			return true;
		}
		g_set_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE,
			"Another driver uses the spare keys of this display");
		return false;
	case BATCH_SENT:
	case BATCH_FAILED:
		break;
	}
	return false;
}

static bool pause_for(const struct typing *typing)
{
	g_autoptr(GError) over = NULL;
	if (typing->delay_ms > 0) {
		deadline_poll_all(deadline_within(typing->deadline, typing->delay_ms), NULL, 0, "the next key", &over);
	}
	return deadline_left(typing->deadline) > 0 && (over == NULL || over->code != ERROR_CANCELLED);
}

/* What a browser does itself if its page does not. */
static bool is_shortcut(const struct chord *chord)
{
	return (chord->modifiers & ~(unsigned)MODIFIER_SHIFT) != 0 || (chord->key >= XKB_KEY_F1 && chord->key <= XKB_KEY_F35);
}

/*
 * A page is asked first, in another process, and what it hands back is done only while the browser thinks that it has the
 * focus; nobody tells when that is over.
 */
static void wait_for_page(const struct typing *typing, const struct chord *last)
{
	g_autoptr(GError) over = NULL;
	if (!typing->front && quirks_has(typing->toolkit, QUIRK_PAGE_FIRST) && is_shortcut(last)) {
		free(x11_reply(typing->server, xcb_get_input_focus(typing->server->c).sequence));
		deadline_poll_all(deadline_within(typing->deadline, PAGE_MS), NULL, 0, "the page", &over);
	}
}

static enum delivered finish(const struct typing *typing, const struct progress *progress, int count, GError **error)
{
	int done = progress->done;
	struct x11_server *server = typing->server;
	struct device *device = typing->device;
	if (done > 0 && typing->front) {
		device_pressed(device);
	}
	if (done > 0) {
		tell_focus(typing, false);
		device->typed = typing->window;
		device->unread = progress->unread;
		/* Who did not say it the last time is not waited for again and again. */
		if (spares_pending(&device->spares) && device->mute != typing->window) {
			bool read = receipt_wait(server, typing->window, progress->unread, LAST_RECEIPT_MS);
			device->mute = read ? XCB_WINDOW_NONE : typing->window;
			if (read) {
				spares_consumed(&device->spares);
			}
		}
		struct spares_user user = device_spares(device, server);
		if (device->spares.held && spares_wanted(&user)) {
			keyboard_rest(device, server);
		}
		free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	}
	if (x11_failed(server)) {
		g_clear_error(error);
		error_set(error, ERROR_DELIVERY_FAILED, "The X server did not confirm the keys: %s",
			server->failure->message);
		/* What was put into the socket may have arrived. */
		return DELIVERED_UNKNOWN;
	}
	return done == count ? DELIVERED_FULL : done > 0 ? DELIVERED_PARTIAL : DELIVERED_NONE;
}

enum delivered keyboard_press(const struct typing *wanted, const struct chord *chords, int count, int *done,
	GError **error)
{
	struct typing own = *wanted;
	const struct typing *typing = &own;
	/* Toolkits that answer pings speak to input methods in other ways. */
	own.handed = xim_exists(own.server) && !ping_answers(own.server, own.window);
	struct deadline patience = deadline_within(typing->deadline, USER_MS);
	struct progress progress = { 0 };
	bool goes_on = true;
	while (progress.done < count && goes_on) {
		const struct chord *next = chords + progress.done;
		enum batch_end end = send_batch(typing, next, count - progress.done, &progress, error);
		if (x11_failed(typing->server)) {
			goes_on = false;
		} else if (end != BATCH_SENT) {
			goes_on = wait_for(typing, end, next, &progress, patience, error);
		} else {
			patience = deadline_within(typing->deadline, USER_MS);
			goes_on = progress.done == count || (!device_is_wanted(typing->device, error)
				&& keep_pace(typing, &progress, error));
			if (goes_on && progress.done < count && !pause_for(typing)) {
				goes_on = false;
				g_set_error(error, CUA_ERROR, ERROR_DEADLINE_EXCEEDED,
					"The time of the call was over after %d of %d keys", progress.done, count);
			}
		}
	}
	*done = progress.done;
	if (progress.done > 0) {
		wait_for_page(typing, &chords[progress.done - 1]);
	}
	return finish(typing, &progress, count, error);
}

bool keyboard_rest(struct device *device, struct x11_server *server)
{
	struct spare_keys *spares = &device->spares;
	if (!spares->held && spares->count == 0) {
		return true;
	}
	if (spares_pending(spares) && ++spares->tries < RECEIPT_TRIES
		&& !receipt_wait(server, device->typed, device->unread, LAST_RECEIPT_MS)) {
		return false;
	}
	struct spares_user user = device_spares(device, server);
	device_grab_server(device, server);
	spares_restore(&user);
	device_ungrab_server(device, server);
	if (!x11_failed(server)) {
		spares_forget(spares);
	}
	return true;
}
