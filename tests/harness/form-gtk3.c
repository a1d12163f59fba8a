/* SPDX-License-Identifier: MIT */
/* The form in GTK3; see form.h. */
#include <gtk/gtk.h>
#include <string.h>

#include "form.h"
#include "journal.h"

static GtkBox *left, *right;
static GtkWidget *window, *status;
static GtkAccelGroup *accels;
static gboolean raises, several;

static void listen_to(gpointer object, const char *signal, GCallback call, const void *data)
{
	g_signal_connect(object, signal, call, (gpointer)data);
}

static void name(GtkWidget *widget, const char *text)
{
	atk_object_set_name(gtk_widget_get_accessible(widget), text);
}

static void count(GtkWidget *widget, const char *label)
{
	(void)widget;
	form_count(label);
}

static void on_active(GtkToggleButton *button, const char *label)
{
	form_set(label, gtk_toggle_button_get_active(button) ? "true" : "false");
}

static void on_radio(GtkToggleButton *button, const char *which)
{
	if (gtk_toggle_button_get_active(button)) {
		form_set("radio", which);
	}
}

static void on_switch(GObject *object)
{
	form_set("switched", gtk_switch_get_active(GTK_SWITCH(object)) ? "true" : "false");
}

static gboolean on_link(void)
{
	form_count("linked");
	return TRUE;
}

static void on_context(GtkWidget *item, const char *which)
{
	(void)item;
	form_set("context", which);
}

static GtkWidget *context_menu(void)
{
	GtkWidget *menu = gtk_menu_new(), *item = gtk_menu_item_new_with_label("Rename thing");

	listen_to(item, "activate", G_CALLBACK(on_context), "Rename");
	gtk_menu_shell_append(GTK_MENU_SHELL(menu), item);
	gtk_widget_show_all(menu);
	return menu;
}

static gboolean on_context_press(GtkWidget *widget, GdkEventButton *event, gpointer menu)
{
	if (event->button == GDK_BUTTON_SECONDARY) {
		form_set("context", "open");
		gtk_menu_popup_at_widget(menu, widget, GDK_GRAVITY_SOUTH_WEST, GDK_GRAVITY_NORTH_WEST,
			(GdkEvent *)event);
	}
	return event->button == GDK_BUTTON_SECONDARY;
}

/* With --raises: it thinks that what it has to say is important, when it comes to say it. */
static gboolean on_late(gpointer data)
{
	(void)data;
	gdk_window_raise(gtk_widget_get_window(window));
	form_count("raised");
	return G_SOURCE_REMOVE;
}

static void raise_later(void)
{
	g_timeout_add(400, on_late, NULL);
}

static void build_buttons(void)
{
	GtkWidget *push = gtk_button_new_with_label("Push me");
	GtkWidget *toggle = gtk_toggle_button_new_with_label("Toggle me");
	GtkWidget *check = gtk_check_button_new_with_label("Check me");
	GtkWidget *a = gtk_radio_button_new_with_label(NULL, "Radio A");
	GtkWidget *b = gtk_radio_button_new_with_label_from_widget(GTK_RADIO_BUTTON(a), "Radio B");
	GtkWidget *toggled = gtk_switch_new();
	GtkWidget *link = gtk_link_button_new_with_label("http://localhost/", "Link me");
	GtkWidget *context = gtk_button_new_with_label("Context me");
	GtkWidget *second = gtk_button_new_with_label("Second window");
	GtkWidget *all[] = {push, toggle, check, a, b, toggled, link, context, second};

	name(toggled, "Switch me");
	listen_to(push, "clicked", G_CALLBACK(count), "pushed");
	if (raises) {
		listen_to(push, "clicked", G_CALLBACK(raise_later), NULL);
	}
	listen_to(toggle, "toggled", G_CALLBACK(on_active), "toggled");
	listen_to(check, "toggled", G_CALLBACK(on_active), "checked");
	listen_to(a, "toggled", G_CALLBACK(on_radio), "A");
	listen_to(b, "toggled", G_CALLBACK(on_radio), "B");
	listen_to(toggled, "notify::active", G_CALLBACK(on_switch), NULL);
	listen_to(link, "activate-link", G_CALLBACK(on_link), NULL);
	listen_to(context, "button-press-event", G_CALLBACK(on_context_press), context_menu());
	listen_to(second, "clicked", G_CALLBACK(count), "second");
	for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
		gtk_box_pack_start(left, all[i], FALSE, FALSE, 0);
	}
}

static void on_page(GtkNotebook *book, GtkWidget *page, guint number)
{
	(void)book, (void)page;
	form_set("tab", number == 0 ? "one" : "two");
}

static void on_state(GSimpleAction *action, GVariant *value, const char *label)
{
	g_simple_action_set_state(action, value);
	form_set(label, g_variant_is_of_type(value, G_VARIANT_TYPE_STRING) ? g_variant_get_string(value, NULL)
		: g_variant_get_boolean(value) ? "true" : "false");
}

/* With --popover: a menu as header bars have it. Its entries never have the state that they are on. */
static void build_popover(void)
{
	GSimpleActionGroup *group = g_simple_action_group_new();
	GSimpleAction *rulers = g_simple_action_new_stateful("rulers", NULL, g_variant_new_boolean(TRUE));
	GSimpleAction *zoom = g_simple_action_new_stateful("zoom", G_VARIANT_TYPE_STRING, g_variant_new_string("near"));
	GtkWidget *button = gtk_menu_button_new(), *idle = gtk_model_button_new();
	GMenu *menu = g_menu_new();

	listen_to(rulers, "change-state", G_CALLBACK(on_state), "rulers");
	listen_to(zoom, "change-state", G_CALLBACK(on_state), "zoom");
	g_action_map_add_action(G_ACTION_MAP(group), G_ACTION(rulers));
	g_action_map_add_action(G_ACTION_MAP(group), G_ACTION(zoom));
	gtk_widget_insert_action_group(window, "form", G_ACTION_GROUP(group));
	g_menu_append(menu, "Show rulers", "form.rulers");
	g_menu_append(menu, "Near", "form.zoom::near");
	g_menu_append(menu, "Far", "form.zoom::far");
	gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
	gtk_menu_button_set_use_popover(GTK_MENU_BUTTON(button), TRUE);
	name(button, "Pop");
	gtk_box_pack_start(left, button, FALSE, FALSE, 0);
	/* One that is on and does nothing. */
	g_object_set(idle, "text", "Idle", "role", GTK_BUTTON_ROLE_CHECK, "active", TRUE, NULL);
	gtk_box_pack_start(left, idle, FALSE, FALSE, 0);
}

/* With --menus: a button with a menu, and one with a popover that is none. */
static void build_menu_buttons(void)
{
	GtkWidget *drop = gtk_menu_button_new(), *menu = gtk_menu_new(),
		  *item = gtk_menu_item_new_with_label("Dropped thing");
	GtkWidget *hover = gtk_menu_button_new(), *popover = gtk_popover_new(hover),
		  *pick = gtk_button_new_with_label("Pick thing");

	listen_to(item, "activate", G_CALLBACK(on_context), "Dropped");
	gtk_menu_shell_append(GTK_MENU_SHELL(menu), item);
	gtk_widget_show_all(menu);
	gtk_menu_button_set_popup(GTK_MENU_BUTTON(drop), menu);
	name(drop, "Drop");
	gtk_box_pack_start(left, drop, FALSE, FALSE, 0);
	listen_to(pick, "clicked", G_CALLBACK(on_context), "Picked");
	g_signal_connect_swapped(pick, "clicked", G_CALLBACK(gtk_popover_popdown), popover);
	gtk_widget_show(pick);
	gtk_container_add(GTK_CONTAINER(popover), pick);
	gtk_menu_button_set_popover(GTK_MENU_BUTTON(hover), popover);
	name(hover, "Hover");
	gtk_box_pack_start(left, hover, FALSE, FALSE, 0);
}

static void build_tabs(void)
{
	GtkWidget *book = gtk_notebook_new();

	gtk_notebook_append_page(GTK_NOTEBOOK(book), gtk_label_new("First page"),
		gtk_label_new("Tab one"));
	gtk_notebook_append_page(GTK_NOTEBOOK(book), gtk_label_new("Second page"),
		gtk_label_new("Tab two"));
	listen_to(book, "switch-page", G_CALLBACK(on_page), NULL);
	gtk_box_pack_start(right, book, FALSE, FALSE, 0);
}

static void on_row(GtkListBox *list, GtkListBoxRow *row)
{
	(void)list;
	if (row) {
		g_autofree char *text = g_strdup_printf("%d", gtk_list_box_row_get_index(row) + 1);

		form_set("row", text);
	}
}

static void build_rows(void)
{
	GtkWidget *list = gtk_list_box_new();

	name(list, "Rows");
	for (int i = 1; i <= 3; i++) {
		g_autofree char *text = g_strdup_printf("Row %d", i);

		gtk_list_box_insert(GTK_LIST_BOX(list), gtk_label_new(text), -1);
	}
	listen_to(list, "row-selected", G_CALLBACK(on_row), NULL);
	gtk_box_pack_start(right, list, FALSE, FALSE, 0);
}

static void on_selection(GtkTreeSelection *selection, const char *label)
{
	GtkTreeModel *model;
	GtkTreeIter iter;

	if (gtk_tree_selection_get_selected(selection, &model, &iter)) {
		g_autofree char *text = NULL;

		gtk_tree_model_get(model, &iter, 0, &text, -1);
		form_set(label, text);
	}
}

static void add_name(GtkTreeModel *model, GtkTreePath *path, GtkTreeIter *iter, gpointer names)
{
	char *text;

	(void)path;
	gtk_tree_model_get(model, iter, 0, &text, -1);
	g_ptr_array_add(names, text);
}

/* With --several: more than one can be selected. */
static void on_several(GtkTreeSelection *selection)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	gtk_tree_selection_selected_foreach(selection, add_name, names);
	g_ptr_array_add(names, NULL);
	g_autofree char *text = g_strjoinv("+", (char **)names->pdata);
	form_set("cell", text);
}

static void on_row_activated(GtkTreeView *view, GtkTreePath *path)
{
	GtkTreeModel *model = gtk_tree_view_get_model(view);
	GtkTreeIter iter;
	g_autofree char *text = NULL;

	gtk_tree_model_get_iter(model, &iter, path);
	gtk_tree_model_get(model, &iter, 0, &text, -1);
	form_set("activated", text);
}

static GtkWidget *view_new(GtkTreeModel *model, const char *label, int columns)
{
	static const char *const titles[] = {"Name", "Size"};
	GtkWidget *view = gtk_tree_view_new_with_model(model);

	for (int i = 0; i < columns; i++) {
		gtk_tree_view_insert_column_with_attributes(GTK_TREE_VIEW(view), -1, titles[i],
			gtk_cell_renderer_text_new(), "text", i, NULL);
	}
	listen_to(gtk_tree_view_get_selection(GTK_TREE_VIEW(view)), "changed", G_CALLBACK(on_selection), label);
	gtk_box_pack_start(right, view, FALSE, FALSE, 0);
	return view;
}

static void build_cells(void)
{
	GtkListStore *store = gtk_list_store_new(2, G_TYPE_STRING, G_TYPE_STRING);

	gtk_list_store_insert_with_values(store, NULL, -1, 0, "alpha", 1, "10", -1);
	gtk_list_store_insert_with_values(store, NULL, -1, 0, "beta", 1, "20", -1);
	if (several) {
		gtk_list_store_insert_with_values(store, NULL, -1, 0, "gamma", 1, "30", -1);
	}
	GtkWidget *view = view_new(GTK_TREE_MODEL(store), "cell", 2);
	if (several) {
		GtkTreeSelection *selection = gtk_tree_view_get_selection(GTK_TREE_VIEW(view));

		g_signal_handlers_disconnect_by_func(selection, G_CALLBACK(on_selection), (gpointer)"cell");
		gtk_tree_selection_set_mode(selection, GTK_SELECTION_MULTIPLE);
		g_signal_connect(selection, "changed", G_CALLBACK(on_several), NULL);
	}
	name(view, "Cells");
	listen_to(view, "row-activated", G_CALLBACK(on_row_activated), NULL);
}

static void on_expanded(GtkTreeView *view, GtkTreeIter *iter, GtkTreePath *path, const char *now)
{
	(void)view, (void)iter, (void)path;
	form_set("expanded", now);
}

static void build_branches(void)
{
	GtkTreeStore *store = gtk_tree_store_new(1, G_TYPE_STRING);
	GtkTreeIter stem;

	gtk_tree_store_insert_with_values(store, &stem, NULL, -1, 0, "Stem", -1);
	gtk_tree_store_insert_with_values(store, NULL, &stem, -1, 0, "Leaf", -1);
	GtkWidget *view = view_new(GTK_TREE_MODEL(store), "branch", 1);
	name(view, "Branches");
	listen_to(view, "row-expanded", G_CALLBACK(on_expanded), "true");
	listen_to(view, "row-collapsed", G_CALLBACK(on_expanded), "false");
}

static void on_menu(GtkMenuItem *item)
{
	form_set("menu", gtk_menu_item_get_label(item));
}

static void on_grid(GtkCheckMenuItem *item)
{
	form_set("grid", gtk_check_menu_item_get_active(item) ? "true" : "false");
}

static void on_size(GtkCheckMenuItem *item)
{
	if (gtk_check_menu_item_get_active(item)) {
		form_set("size", gtk_menu_item_get_label(GTK_MENU_ITEM(item)));
	}
}

static GtkWidget *add_menu(GtkWidget *shell, const char *label)
{
	GtkWidget *item = gtk_menu_item_new_with_mnemonic(label), *menu = gtk_menu_new();

	gtk_menu_item_set_submenu(GTK_MENU_ITEM(item), menu);
	gtk_menu_shell_append(GTK_MENU_SHELL(shell), item);
	return menu;
}

static GtkWidget *add_item(GtkWidget *menu, GtkWidget *item, GCallback activate, const char *signal)
{
	g_signal_connect(item, signal, activate, NULL);
	gtk_menu_shell_append(GTK_MENU_SHELL(menu), item);
	return item;
}

/* As file managers do: what is in it is made when it is shown. */
static void on_menu_shown(GtkWidget *menu)
{
	g_autoptr(GList) there = gtk_container_get_children(GTK_CONTAINER(menu));

	if (there == NULL) {
		gtk_widget_show(add_item(menu, gtk_menu_item_new_with_label("Late thing"), G_CALLBACK(on_menu), "activate"));
		gtk_widget_show(add_item(menu, gtk_menu_item_new_with_label("Later thing"), G_CALLBACK(on_menu), "activate"));
	}
}

static void build_menus(GtkBox *box)
{
	GtkWidget *bar = gtk_menu_bar_new();
	GtkWidget *file = add_menu(bar, "_File"), *view = add_menu(bar, "_View");
	GtkWidget *open = add_item(file, gtk_menu_item_new_with_label("Open thing…"),
		G_CALLBACK(on_menu), "activate");
	GtkWidget *more = add_menu(file, "_More");
	GtkWidget *small = add_item(view, gtk_radio_menu_item_new_with_label(NULL, "Small"),
		G_CALLBACK(on_size), "toggled");

	add_item(view, gtk_radio_menu_item_new_with_label_from_widget(GTK_RADIO_MENU_ITEM(small),
		"Large"), G_CALLBACK(on_size), "toggled");
	add_item(view, gtk_check_menu_item_new_with_label("Show grid"), G_CALLBACK(on_grid),
		"toggled");
	add_item(more, gtk_menu_item_new_with_label("Deep thing"), G_CALLBACK(on_menu), "activate");
	GtkWidget *grey = add_item(file, gtk_menu_item_new_with_label("Grey thing"),
		G_CALLBACK(on_menu), "activate");
	gtk_widget_set_sensitive(grey, FALSE);
	g_signal_connect(add_menu(bar, "_Go"), "show", G_CALLBACK(on_menu_shown), NULL);
	gtk_widget_add_accelerator(open, "activate", accels, GDK_KEY_o, GDK_CONTROL_MASK,
		GTK_ACCEL_VISIBLE);
	gtk_box_pack_start(box, bar, FALSE, FALSE, 0);
}

static void on_combo(GtkComboBoxText *combo)
{
	g_autofree char *text = gtk_combo_box_text_get_active_text(combo);

	form_set("combo", text ? text : "");
}

static void on_value(GtkAdjustment *adjustment, const char *label)
{
	g_autofree char *text = g_strdup_printf("%d", (int)gtk_adjustment_get_value(adjustment));

	form_set(label, text);
}

static void on_text(GtkEntry *entry)
{
	form_set("text", gtk_entry_get_text(entry));
}

static void on_entered(GtkEntry *entry)
{
	form_set("entered", gtk_entry_get_text(entry));
}

/* With --bar: a field that is taken with Enter. */
static void build_bar(GtkBox *box)
{
	GtkWidget *bar = gtk_toolbar_new(), *entry = gtk_entry_new();
	GtkToolItem *item = gtk_tool_item_new();

	name(entry, "Go to");
	listen_to(entry, "activate", G_CALLBACK(on_entered), NULL);
	gtk_container_add(GTK_CONTAINER(item), entry);
	gtk_toolbar_insert(GTK_TOOLBAR(bar), item, -1);
	gtk_box_pack_start(box, bar, FALSE, FALSE, 0);
}

/* An empty text is a line between two items. */
static gboolean is_line(GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
	g_autofree char *text = NULL;

	(void)data;
	gtk_tree_model_get(model, iter, 0, &text, -1);
	return text != NULL && *text == '\0';
}

static void build_fields(void)
{
	GtkWidget *combo = gtk_combo_box_text_new();
	GtkAdjustment *spin = gtk_adjustment_new(5, 0, 10, 1, 5, 0);
	GtkAdjustment *slide = gtk_adjustment_new(5, 0, 10, 1, 5, 0);
	GtkWidget *entry = gtk_entry_new();
	GtkWidget *all[] = {combo, gtk_spin_button_new(spin, 1, 0),
		gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, slide), entry};
	static const char *const names[] = {"Combo", "Spin", "Slide", "Entry"};

	gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(combo), "One");
	gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(combo), "Two");
	gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(combo), "");
	gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(combo), "Three");
	gtk_combo_box_set_row_separator_func(GTK_COMBO_BOX(combo), is_line, NULL, NULL);
	gtk_combo_box_set_active(GTK_COMBO_BOX(combo), 0);
	gtk_entry_set_text(GTK_ENTRY(entry), "typed");
	listen_to(combo, "changed", G_CALLBACK(on_combo), NULL);
	listen_to(spin, "value-changed", G_CALLBACK(on_value), "spin");
	listen_to(slide, "value-changed", G_CALLBACK(on_value), "slide");
	listen_to(entry, "changed", G_CALLBACK(on_text), NULL);
	listen_to(entry, "activate", G_CALLBACK(on_entered), NULL);
	for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
		name(all[i], names[i]);
		gtk_box_pack_start(left, all[i], FALSE, FALSE, 0);
	}
}

static gboolean on_shown(gpointer data)
{
	(void)data;
	journal_ready("gtk3");
	return G_SOURCE_REMOVE;
}

static gboolean on_map(void)
{
	g_idle_add_full(G_PRIORITY_LOW, on_shown, NULL, NULL);
	return FALSE;
}

static void show_status(const char *text)
{
	gtk_label_set_text(GTK_LABEL(status), text);
}

/* With --application: a window as GtkApplication has it, which shows the menu bar itself. */
static GtkWidget *application_window(void)
{
	GtkApplication *application = gtk_application_new(NULL, G_APPLICATION_NON_UNIQUE);
	GMenu *bar = g_menu_new(), *menu = g_menu_new();

	g_menu_append(menu, "Nothing", "app.nothing");
	g_menu_append_submenu(bar, "Program", G_MENU_MODEL(menu));
	g_application_register(G_APPLICATION(application), NULL, NULL);
	gtk_application_set_menubar(application, G_MENU_MODEL(bar));
	GtkWidget *shown = gtk_application_window_new(application);
	gtk_application_window_set_show_menubar(GTK_APPLICATION_WINDOW(shown), TRUE);
	return shown;
}

int main(int argc, char **argv)
{
	gboolean application = FALSE, popover = FALSE, bar = FALSE, menus = FALSE;

	for (int i = 1; i < argc; i++) {
		application |= strcmp(argv[i], "--application") == 0;
		bar |= strcmp(argv[i], "--bar") == 0;
		menus |= strcmp(argv[i], "--menus") == 0;
		popover |= strcmp(argv[i], "--popover") == 0;
		several |= strcmp(argv[i], "--several") == 0;
		raises |= strcmp(argv[i], "--raises") == 0;
	}
	form_init(argc, argv, show_status);
	gtk_init(&argc, &argv);
	window = application ? application_window() : gtk_window_new(GTK_WINDOW_TOPLEVEL);
	accels = gtk_accel_group_new();
	gtk_window_add_accel_group(GTK_WINDOW(window), accels);
	gtk_window_set_title(GTK_WINDOW(window), "Harness form-gtk3");
	GtkBox *box = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
	GtkBox *columns = GTK_BOX(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12));
	left = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 4));
	right = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 4));
	build_menus(box);
	if (bar) {
		build_bar(box);
	}
	gtk_box_pack_start(columns, GTK_WIDGET(left), TRUE, TRUE, 0);
	gtk_box_pack_start(columns, GTK_WIDGET(right), TRUE, TRUE, 0);
	gtk_box_pack_start(box, GTK_WIDGET(columns), TRUE, TRUE, 0);
	status = gtk_label_new("nothing yet");
	gtk_box_pack_start(box, status, FALSE, FALSE, 0);
	gtk_container_add(GTK_CONTAINER(window), GTK_WIDGET(box));
	build_fields();
	build_tabs();
	build_rows();
	build_cells();
	build_branches();
	build_buttons();
	if (popover) {
		build_popover();
	}
	if (menus) {
		build_menu_buttons();
	}
	listen_to(window, "map-event", G_CALLBACK(on_map), NULL);
	listen_to(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);
	gtk_widget_show_all(window);
	gtk_main();
	return 0;
}
