// SPDX-License-Identifier: MIT
#include "qt5.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QTimer>

#include <vector>

#include "journal.h"
#include "qt5-layout.h"

Harness harness;

QStringList model_words(const char *list)
{
	QStringList result;

	for (const char *const *word = model_list(list); *word != nullptr; word++) {
		result << model_word(*word);
	}
	return result;
}

QString model_word(const char *text)
{
	return QString::fromUtf8(text);
}

void model_set(enum control control, const char *label, const QString &value)
{
	model_change(control, label, value.toUtf8().constData());
}

namespace {

std::vector<QLabel *> labels;

QRect rect(const struct qt5_place &place)
{
	return QRect(place.x, place.y, place.width, place.height);
}

void build(enum control control)
{
	QWidget *widget = control_make(control, harness.main);

	harness.controls[control] = widget;
	widget->setObjectName(model_id(control));
	widget->setAccessibleName(model_word(model_name(control)));
	widget->setAccessibleDescription(model_id(control));
	widget->setGeometry(rect(qt5_control_place(control)));
	widget->show();
}

void show_label(int label, const char *text)
{
	if (static_cast<size_t>(label) < labels.size()) {
		labels[label]->setText(QString::fromUtf8(text));
	}
}

void disable(enum control control)
{
	if (harness.controls[control] != nullptr) {
		harness.controls[control]->setEnabled(false);
	}
}

void vanish(enum control control)
{
	QWidget *widget = harness.controls[control];

	if (widget != nullptr) {
		/* Its own signal may be what led here. */
		widget->blockSignals(true);
		widget->hide();
		widget->deleteLater();
		harness.controls[control] = nullptr;
	}
}

void replace(enum control control)
{
	if (harness.controls[control] != nullptr) {
		vanish(control);
		build(control);
	}
}

void after(int ms, void (*call)(void *data), void *data)
{
	QTimer::singleShot(ms, qApp, [call, data] { call(data); });
}

const struct toolkit qt5 = {
	"qt5", show_label, disable, vanish, replace, window_show_modal, after,
};

enum control control_of(const QWidget *widget)
{
	for (; widget != nullptr; widget = widget->parentWidget()) {
		for (int i = 0; i < CONTROL_COUNT; i++) {
			if (harness.controls[i] == widget) {
				return static_cast<enum control>(i);
			}
		}
	}
	return CONTROL_COUNT;
}

void build_labels()
{
	for (int i = 0; i < model_label_count(); i++) {
		auto *label = new QLabel(model_word(model_label_text(i)), harness.main);

		label->setTextFormat(Qt::PlainText);
		label->setGeometry(rect(qt5_label_place(i)));
		labels.push_back(label);
	}
}

void build_decoys()
{
	auto *clock = new QLabel(harness.main);
	auto *bar = new QProgressBar(harness.main);
	auto *log = new QPlainTextEdit(harness.main);
	auto *timer = new QTimer(harness.main);

	clock->setGeometry(rect(qt5_decoy_place(QT5_CLOCK)));
	bar->setGeometry(rect(qt5_decoy_place(QT5_PROGRESS)));
	log->setGeometry(rect(qt5_decoy_place(QT5_LOG)));
	bar->setRange(0, 1000);
	bar->setAccessibleName("Progress");
	log->setAccessibleName("Log");
	log->setReadOnly(true);
	log->setFocusPolicy(Qt::NoFocus);
	log->setMaximumBlockCount(500);
	QObject::connect(timer, &QTimer::timeout, [clock, bar, log] {
		clock->setText(model_word(model_clock()));
		bar->setValue(static_cast<int>(model_progress() * 1000));
		log->appendPlainText(model_word(model_log_line()));
	});
	timer->start(100);
}

} // namespace

int main(int argc, char **argv)
{
	model_init(&argc, argv, &qt5);
	/* Or the whole window would consist of X windows, because of the one child that is. */
	QApplication::setAttribute(Qt::AA_DontCreateNativeWidgetSiblings);
	QApplication::setStyle("Fusion");

	Witness application(argc, argv, control_of);
	Window window(nullptr, Qt::Window, [] { QApplication::quit(); });

	if (!model_wants_decoys()) {
		QApplication::setCursorFlashTime(0);
	}
	harness.main = &window;
	window.setObjectName("main");
	window.setWindowTitle(model_word(model_title("main")));
	window.setMinimumSize(rect(qt5_window_place()).size());
	for (int i = 0; i < CONTROL_COUNT; i++) {
		build(static_cast<enum control>(i));
	}
	build_labels();
	if (model_wants_decoys()) {
		build_decoys();
	}
	application.when_painted(&window, [] { journal_ready(qt5.name); });
	window.show();
	return QApplication::exec();
}
