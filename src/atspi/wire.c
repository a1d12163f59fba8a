/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/wire.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "atspi/parcel.h"
#include "core/error.h"

enum {
	READ_SIZE = 16 << 10,
	WRITE_SIZE = 8 << 10,  /* so much is sent before more is gathered */
	KEPT_SIZE = 256 << 10, /* a larger buffer is given back once it is empty */
	LONGEST_LINE = 1024,   /* of the authentication */
	MOST_UNREAD = 1 << 20, /* of our refusals, by who asks and does not read */
};

enum state {
	GREETING,      /* the authentication has been sent */
	NAMING,        /* the bus has been asked for our name */
	READY,
	LOST,
};

/* A call without its answer. */
struct waiting {
	uint32_t serial;
	wire_reply reply;
	void *data;
	GDestroyNotify destroy;
};

struct wire {
	int fd;
	enum state state;
	bool to_bus;
	bool drained;        /* the last read left nothing in the socket */
	bool said_all;       /* that it is lost has been told */
	char *bus_id, *name;
	uint32_t serial;
	GByteArray *out;     /* to be written, from `written` on; while greeting, what follows then */
	guint written;
	uint8_t *in;         /* what has come: from `taken` to `filled` of `room` bytes */
	size_t taken, filled, room;
	GArray *waiting;     /* struct waiting, in the order they were sent, from `answered` on */
	guint answered;
	wire_reply on_signal, on_answer;
	void *signal_data, *answer_data;
};

/* --- Connecting ------------------------------------------------------------------------------------ */

/* The socket's name in one address of a list, "unix:path=…" or "unix:abstract=…"; 0 if it has none that we can use. */
static socklen_t find_place(const char *address, struct sockaddr_un *place)
{
	g_auto(GStrv) parts = g_str_has_prefix(address, "unix:") ? g_strsplit(address + strlen("unix:"), ",", -1) : NULL;
	*place = (struct sockaddr_un){ .sun_family = AF_UNIX };
	for (int i = 0; parts != NULL && parts[i] != NULL; i++) {
		bool abstract = g_str_has_prefix(parts[i], "abstract=");
		if (!abstract && !g_str_has_prefix(parts[i], "path=")) {
			continue;
		}
		g_autofree char *name = g_uri_unescape_string(strchr(parts[i], '=') + 1, NULL);
		size_t length = name != NULL ? strlen(name) : 0;
		/* A NUL before an abstract name, or after a path. */
		if (length == 0 || length + 1 > sizeof place->sun_path) {
			return 0;
		}
		memcpy(place->sun_path + (abstract ? 1 : 0), name, length);
		return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
	}
	return 0;
}

static int connect_to(const char *address)
{
	struct sockaddr_un place;
	socklen_t length = find_place(address, &place);
	if (length == 0) {
		errno = EAFNOSUPPORT;
		return -1;
	}
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && connect(fd, (const struct sockaddr *)&place, length) < 0) {
		int problem = errno;
		close(fd);
		errno = problem;
		return -1;
	}
	return fd;
}

static int connect_to_any(const char *addresses)
{
	g_auto(GStrv) list = g_strsplit(addresses, ";", -1);
	int fd = -1;
	errno = EAFNOSUPPORT;
	for (int i = 0; list[i] != NULL && fd < 0; i++) {
		fd = list[i][0] != '\0' ? connect_to(list[i]) : -1;
	}
	return fd;
}

struct wire *wire_open(const char *address, bool to_bus, GError **error)
{
	/* Who we are the kernel tells; with no word from us it is right in other user namespaces, too. */
	static const char greeting[] = "\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n";
	int fd = connect_to_any(address);
	if (fd < 0) {
		error_set(error, ERROR_NO_ACCESSIBILITY, "Cannot connect to the bus \"%s\": %s",
			address, g_strerror(errno));
		return NULL;
	}
	struct wire *wire = g_new0(struct wire, 1);
	wire->fd = fd;
	wire->to_bus = to_bus;
	wire->drained = true;
	wire->out = g_byte_array_new();
	wire->waiting = g_array_new(FALSE, FALSE, sizeof(struct waiting));
	/* A socket that was just connected takes so little at once; if not, there is no answer either. */
	if (send(fd, greeting, sizeof greeting - 1, MSG_NOSIGNAL) != (ssize_t)sizeof greeting - 1) {
		wire->state = LOST;
	}
	return wire;
}

/* --- Calls ----------------------------------------------------------------------------------------- */

static void destroy_waiting(const struct waiting *waiting)
{
	if (waiting->destroy != NULL) {
		waiting->destroy(waiting->data);
	}
}

void wire_close(struct wire *wire)
{
	if (wire == NULL) {
		return;
	}
	if (wire->fd >= 0) {
		close(wire->fd);
	}
	for (guint i = wire->answered; i < wire->waiting->len; i++) {
		destroy_waiting(&g_array_index(wire->waiting, struct waiting, i));
	}
	g_array_unref(wire->waiting);
	g_byte_array_unref(wire->out);
	g_free(wire->in);
	g_free(wire->bus_id);
	g_free(wire->name);
	g_free(wire);
}

void wire_on_signal(struct wire *wire, wire_reply take, void *data)
{
	wire->on_signal = take;
	wire->signal_data = data;
}

void wire_on_answer(struct wire *wire, wire_reply told, void *data)
{
	wire->on_answer = told;
	wire->answer_data = data;
}

static void lose(struct wire *wire)
{
	wire->state = LOST;
	if (wire->fd >= 0) {
		close(wire->fd);
		wire->fd = -1;
	}
}

bool wire_flush(struct wire *wire)
{
	bool wrote = false;
	while (wire->written < wire->out->len && wire->state != LOST && wire->state != GREETING) {
		ssize_t size = send(wire->fd, wire->out->data + wire->written, wire->out->len - wire->written, MSG_NOSIGNAL);
		if (size > 0) {
			wire->written += (guint)size;
			wrote = true;
		} else if (errno != EINTR) {
			if (errno != EAGAIN) {
				lose(wire);
			}
			break;
		}
	}
	if (wire->written == wire->out->len) {
		wire->written = 0;
		g_byte_array_set_size(wire->out, 0);
	}
	return wrote;
}

bool wire_send(struct wire *wire, const struct wire_call *call, const char *types, va_list args)
{
	const struct waiting waiting = { wire->serial + 1, call->reply, call->data, call->destroy };
	const struct parcel parcel = {
		.type = MESSAGE_CALL, .flags = call->reply == NULL ? MESSAGE_NO_REPLY : 0, .serial = waiting.serial,
		.destination = call->name, .path = call->path, .interface = call->interface, .member = call->method,
	};
	if (wire->state == LOST || !parcel_append(wire->out, &parcel, types, args)) {
		destroy_waiting(&waiting);
		return false;
	}
	wire->serial++;
	if (call->reply != NULL) {
		g_array_append_val(wire->waiting, waiting);
	} else {
		destroy_waiting(&waiting);
	}
	if (wire->state == READY && wire->out->len - wire->written >= WRITE_SIZE) {
		wire_flush(wire);
	}
	return true;
}

/* `...` for what follows here. */
static void send_plain(struct wire *wire, const struct parcel *parcel, const char *types, ...)
{
	va_list args;
	va_start(args, types);
	parcel_append(wire->out, parcel, types, args);
	va_end(args);
}

/* --- What comes ------------------------------------------------------------------------------------ */

/* Reads what has come, once. Whether there was anything, if only its end. */
static bool fill(struct wire *wire)
{
	if (wire->taken == wire->filled) {
		wire->taken = wire->filled = 0;
		if (wire->room > KEPT_SIZE) {
			g_clear_pointer(&wire->in, g_free);
			wire->room = 0;
		}
	} else if (wire->taken > 0 && wire->room - wire->filled < READ_SIZE) {
		memmove(wire->in, wire->in + wire->taken, wire->filled - wire->taken);
		wire->filled -= wire->taken;
		wire->taken = 0;
	}
	if (wire->room - wire->filled < READ_SIZE) {
		wire->room = MAX(2 * wire->room, wire->filled + READ_SIZE);
		wire->in = g_realloc(wire->in, wire->room);
	}
	ssize_t size;
	do {
		size = recv(wire->fd, wire->in + wire->filled, wire->room - wire->filled, 0);
	} while (size < 0 && errno == EINTR);
	if (size > 0) {
		wire->filled += (size_t)size;
		/* What filled the buffer may have been cut. */
		wire->drained = wire->filled < wire->room;
		return true;
	}
	wire->drained = true;
	if (size == 0 || errno != EAGAIN) {
		lose(wire);
		return true;
	}
	return false;
}

/* Takes the call out that this answers; false if nobody waits for it. */
static bool find_waiting(struct wire *wire, uint32_t serial, struct waiting *found)
{
	for (guint i = wire->answered; i < wire->waiting->len; i++) {
		*found = g_array_index(wire->waiting, struct waiting, i);
		if (found->serial != serial) {
			continue;
		}
		/* Answers come in order, nearly always. */
		if (i == wire->answered) {
			wire->answered++;
		} else {
			g_array_remove_index(wire->waiting, i);
		}
		if (wire->answered == wire->waiting->len) {
			wire->answered = 0;
			g_array_set_size(wire->waiting, 0);
		}
		return true;
	}
	return false;
}

static void give_answer(struct wire *wire, const struct waiting *waiting, struct message *message)
{
	/* Our own greeting of the bus is nobody else's business. */
	if (wire->on_answer != NULL && waiting->data != wire) {
		wire->on_answer(message, wire->answer_data);
	}
	waiting->reply(message, waiting->data);
	destroy_waiting(waiting);
}

static void take_answer(struct wire *wire, struct message *message)
{
	struct waiting waiting;
	if (find_waiting(wire, message->answers, &waiting)) {
		give_answer(wire, &waiting, message);
	}
}

/* We offer nothing; who asks shall not wait for us. Who only asks, and does not read, is left. */
static void refuse(struct wire *wire, const struct message *call)
{
	if (wire->out->len - wire->written > MOST_UNREAD) {
		lose(wire);
	} else if ((call->flags & MESSAGE_NO_REPLY) == 0) {
		send_plain(wire, &(struct parcel){
			.type = MESSAGE_ERROR, .flags = MESSAGE_NO_REPLY, .serial = ++wire->serial, .answers = call->serial,
			.destination = call->sender[0] != '\0' ? call->sender : NULL,
			.error = "org.freedesktop.DBus.Error.UnknownMethod",
		}, NULL);
	}
}

static void dispatch(struct wire *wire, struct message *message)
{
	if (message->type == MESSAGE_ANSWER || message->type == MESSAGE_ERROR) {
		take_answer(wire, message);
	} else if (message->type == MESSAGE_SIGNAL && wire->on_signal != NULL) {
		wire->on_signal(message, wire->signal_data);
	} else if (message->type == MESSAGE_CALL) {
		refuse(wire, message);
	}
}

/* Takes a whole message out of what has come; false if there is none. */
static bool next_message(struct wire *wire, struct message *message)
{
	const uint8_t *bytes = wire->in + wire->taken;
	size_t there = wire->filled - wire->taken;
	if (there < MESSAGE_FIXED_HEADER) {
		return false;
	}
	size_t length = message_length(bytes);
	if (length == 0) {
		lose(wire);
		return false;
	}
	if (there < length) {
		return false;
	}
	if (!message_parse(message, bytes, length)) {
		lose(wire);
		return false;
	}
	wire->taken += length;
	return true;
}

static void on_hello(struct message *reply, void *data)
{
	struct wire *wire = data;
	const char *name;
	if (message_is_error(reply) || message_read(reply, "s", &name) <= 0) {
		lose(wire);
		return;
	}
	wire->name = g_strdup(name);
	wire->state = READY;
}

/* The other side knows us: what was gathered may follow, after the greeting of a bus. */
static void end_greeting(struct wire *wire, const char *id)
{
	wire->bus_id = g_strdup(id);
	if (!wire->to_bus) {
		wire->state = READY;
		return;
	}
	g_autoptr(GByteArray) later = g_steal_pointer(&wire->out);
	const struct waiting waiting = { ++wire->serial, on_hello, wire, NULL };
	wire->out = g_byte_array_new();
	send_plain(wire, &(struct parcel){
		.type = MESSAGE_CALL, .serial = waiting.serial, .destination = "org.freedesktop.DBus",
		.path = "/org/freedesktop/DBus", .interface = "org.freedesktop.DBus", .member = "Hello",
	}, NULL);
	g_array_insert_val(wire->waiting, wire->answered, waiting);
	g_byte_array_append(wire->out, later->data, later->len);
	wire->state = NAMING;
}

/* Takes a line of the authentication; false if there is none. */
static bool next_line(struct wire *wire)
{
	const char *text = (const char *)wire->in + wire->taken;
	size_t there = wire->filled - wire->taken;
	const char *end = there > 0 ? memmem(text, there, "\r\n", 2) : NULL;
	if (end == NULL) {
		if (there > LONGEST_LINE) {
			lose(wire);
		}
		return false;
	}
	g_autofree char *line = g_strndup(text, (gsize)(end - text));
	wire->taken += (size_t)(end - text) + 2;
	if (g_str_has_prefix(line, "OK ")) {
		end_greeting(wire, line + strlen("OK "));
	} else if (!g_str_has_prefix(line, "DATA")) {
		/* REJECTED, or something nobody said we understand. */
		lose(wire);
	}
	return true;
}

/* Everything that waits gets an answer. Whether this is the first time, so that somebody may have to be told. */
static bool give_up(struct wire *wire)
{
	struct message message = { .type = MESSAGE_ERROR, .error = WIRE_NO_REPLY, .path = "", .interface = "", .member = "",
		.sender = "", .signature = "", .body = (const uint8_t *)"" };
	bool told = !wire->said_all;
	wire->said_all = true;
	while (wire->answered < wire->waiting->len) {
		struct waiting waiting = g_array_index(wire->waiting, struct waiting, wire->answered++);
		message_rewind(&message);
		give_answer(wire, &waiting, &message);
	}
	return told;
}

/* Takes one thing that has been read. */
static bool take_one(struct wire *wire)
{
	struct message message;
	if (wire->state == GREETING) {
		return next_line(wire);
	}
	if (!next_message(wire, &message)) {
		return false;
	}
	dispatch(wire, &message);
	return true;
}

int wire_step(struct wire *wire)
{
	/* What has come is taken before more is read, and what it leads to is written together. */
	if (wire->state != LOST && wire->filled > wire->taken && take_one(wire)) {
		return 1;
	}
	bool wrote = wire_flush(wire);
	if (wire->state != LOST && !wire->drained && fill(wire) && wire->state != LOST) {
		return 1;
	}
	if (wire->state == LOST) {
		return give_up(wire) ? 1 : -1;
	}
	return wrote;
}

struct pollfd wire_poll(const struct wire *wire)
{
	bool writes = wire->state != GREETING && wire->out->len > wire->written;
	return (struct pollfd){ .fd = wire->fd, .events = (short)(POLLIN | (writes ? POLLOUT : 0)) };
}

void wire_wake(struct wire *wire)
{
	wire->drained = false;
}

bool wire_is_ready(const struct wire *wire)
{
	return wire->state == READY;
}

bool wire_is_open(const struct wire *wire)
{
	return wire->state != LOST;
}

const char *wire_bus_id(const struct wire *wire)
{
	return wire->bus_id;
}

const char *wire_name(const struct wire *wire)
{
	return wire->name;
}
