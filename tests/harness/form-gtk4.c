/* SPDX-License-Identifier: MIT */
/* The form in GTK4; see form.h. */
#include <gtk/gtk.h>

#include "form.h"
#include "journal.h"

static GtkBox *left, *right;
static GtkWidget *status;

static void listen_to(gpointer object, const char *signal, GCallback call, const void *data)
{
	g_signal_connect(object, signal, call, (gpointer)data);
}

static GtkWidget *add(GtkBox *box, GtkWidget *widget, const char *name)
{
	if (name) {
		/* From GTK 4.10 on a drop-down is labelled by what it shows. */
		gtk_accessible_reset_relation(
			GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
		gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
			-1);
	}
	gtk_box_append(box, widget);
	return widget;
}

static void count(GtkWidget *widget, const char *label)
{
	(void)widget;
	form_count(label);
}

static void on_property(GObject *object, GParamSpec *property, const char *label)
{
	gboolean active;

	g_object_get(object, property->name, &active, NULL);
	form_set(label, active ? "true" : "false");
}

static void on_radio(GtkCheckButton *button, GParamSpec *property, const char *which)
{
	(void)property;
	if (gtk_check_button_get_active(button)) {
		form_set("radio", which);
	}
}

static gboolean on_link(void)
{
	form_count("linked");
	return TRUE;
}

static void on_context(GSimpleAction *action, GVariant *value)
{
	(void)action, (void)value;
	form_set("context", "Rename");
}

static void on_context_click(GtkGestureClick *gesture, int presses, double x, double y, gpointer menu)
{
	(void)gesture, (void)presses, (void)x, (void)y;
	gtk_popover_popup(menu);
}

static void build_context(void)
{
	static const GActionEntry entries[] = {{.name = "rename", .activate = (void *)on_context}};
	GtkWidget *button = add(left, gtk_button_new_with_label("Context me"), NULL);
	g_autoptr(GSimpleActionGroup) group = g_simple_action_group_new();
	g_autoptr(GMenu) menu = g_menu_new();
	GtkGesture *secondary = gtk_gesture_click_new();

	g_action_map_add_action_entries(G_ACTION_MAP(group), entries, 1, NULL);
	gtk_widget_insert_action_group(button, "context", G_ACTION_GROUP(group));
	g_menu_append(menu, "Rename thing", "context.rename");
	GtkWidget *popover = gtk_popover_menu_new_from_model(G_MENU_MODEL(menu));
	gtk_widget_set_parent(popover, button);
	gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(secondary), GDK_BUTTON_SECONDARY);
	listen_to(secondary, "released", G_CALLBACK(on_context_click), popover);
	gtk_widget_add_controller(button, GTK_EVENT_CONTROLLER(secondary));
}

static void build_buttons(void)
{
	GtkWidget *push = add(left, gtk_button_new_with_label("Push me"), NULL);
	GtkWidget *toggle = add(left, gtk_toggle_button_new_with_label("Toggle me"), NULL);
	GtkWidget *check = add(left, gtk_check_button_new_with_label("Check me"), NULL);
	GtkWidget *a = add(left, gtk_check_button_new_with_label("Radio A"), NULL);
	GtkWidget *b = add(left, gtk_check_button_new_with_label("Radio B"), NULL);
	GtkWidget *switched = add(left, gtk_switch_new(), "Switch me");
	GtkWidget *link = add(left, gtk_link_button_new_with_label("http://localhost/", "Link me"), NULL);

	build_context();
	GtkWidget *second = add(left, gtk_button_new_with_label("Second window"), NULL);
	gtk_widget_set_halign(switched, GTK_ALIGN_START);
	gtk_check_button_set_group(GTK_CHECK_BUTTON(b), GTK_CHECK_BUTTON(a));
	gtk_check_button_set_active(GTK_CHECK_BUTTON(a), TRUE);
	listen_to(push, "clicked", G_CALLBACK(count), "pushed");
	listen_to(toggle, "notify::active", G_CALLBACK(on_property), "toggled");
	listen_to(check, "notify::active", G_CALLBACK(on_property), "checked");
	listen_to(a, "notify::active", G_CALLBACK(on_radio), "A");
	listen_to(b, "notify::active", G_CALLBACK(on_radio), "B");
	listen_to(switched, "notify::active", G_CALLBACK(on_property), "switched");
	listen_to(link, "activate-link", G_CALLBACK(on_link), NULL);
	listen_to(second, "clicked", G_CALLBACK(count), "second");
}

static void on_page(GtkNotebook *book, GtkWidget *page, guint number)
{
	(void)book, (void)page;
	form_set("tab", number == 0 ? "one" : "two");
}

static void on_pick(GtkWidget *button, GtkPopover *popover)
{
	(void)button;
	form_set("context", "Picked");
	gtk_popover_popdown(popover);
}

/* With --menus: a button with a menu, and one with a popover that is none. */
static void build_menu_buttons(void)
{
	GtkWidget *drop = gtk_menu_button_new(), *hover = gtk_menu_button_new();
	GtkWidget *popover = gtk_popover_new(), *pick = gtk_button_new_with_label("Pick thing");
	g_autoptr(GMenu) menu = g_menu_new();

	g_menu_append(menu, "Dropped thing", "form.menu::Dropped");
	gtk_menu_button_set_label(GTK_MENU_BUTTON(drop), "Drop");
	gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(drop), G_MENU_MODEL(menu));
	gtk_menu_button_set_label(GTK_MENU_BUTTON(hover), "Hover");
	listen_to(pick, "clicked", G_CALLBACK(on_pick), popover);
	gtk_popover_set_child(GTK_POPOVER(popover), pick);
	gtk_menu_button_set_popover(GTK_MENU_BUTTON(hover), popover);
	add(left, drop, NULL);
	add(left, hover, NULL);
}

static void build_tabs(void)
{
	GtkWidget *book = gtk_notebook_new(), *behind = gtk_button_new_with_label("On page two");

	gtk_notebook_append_page(GTK_NOTEBOOK(book), gtk_label_new("First page"),
		gtk_label_new("Tab one"));
	gtk_notebook_append_page(GTK_NOTEBOOK(book), behind, gtk_label_new("Tab two"));
	listen_to(behind, "clicked", G_CALLBACK(count), "behind");
	listen_to(book, "switch-page", G_CALLBACK(on_page), NULL);
	add(right, book, NULL);
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

	for (int i = 1; i <= 3; i++) {
		g_autofree char *text = g_strdup_printf("Row %d", i);

		gtk_list_box_append(GTK_LIST_BOX(list), gtk_label_new(text));
	}
	listen_to(list, "row-selected", G_CALLBACK(on_row), NULL);
	add(right, list, "Rows");
}

static void on_setup(GtkSignalListItemFactory *factory, GtkListItem *item)
{
	(void)factory;
	gtk_list_item_set_child(item, gtk_label_new(NULL));
}

static void on_bind(GtkSignalListItemFactory *factory, GtkListItem *item)
{
	GtkStringObject *object = gtk_list_item_get_item(item);

	(void)factory;
	gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)),
		gtk_string_object_get_string(object));
}

static void on_bind_size(GtkSignalListItemFactory *factory, GtkListItem *item)
{
	(void)factory;
	gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)),
		gtk_list_item_get_position(item) == 0 ? "10" : "20");
}

static GtkListItemFactory *factory_new(void (*setup)(GtkSignalListItemFactory *, GtkListItem *),
	void (*bind)(GtkSignalListItemFactory *, GtkListItem *))
{
	GtkListItemFactory *factory = gtk_signal_list_item_factory_new();

	listen_to(factory, "setup", G_CALLBACK(setup), NULL);
	listen_to(factory, "bind", G_CALLBACK(bind), NULL);
	return factory;
}

static void on_cell(GtkSingleSelection *selection)
{
	GtkStringObject *object = gtk_single_selection_get_selected_item(selection);

	if (object) {
		form_set("cell", gtk_string_object_get_string(object));
	}
}

static void on_activated(GtkColumnView *view, guint position)
{
	(void)view;
	form_set("activated", position == 0 ? "alpha" : "beta");
}

static GtkSingleSelection *selection_new(GListModel *model)
{
	GtkSingleSelection *selection = gtk_single_selection_new(NULL);

	gtk_single_selection_set_autoselect(selection, FALSE);
	gtk_single_selection_set_can_unselect(selection, TRUE);
	gtk_single_selection_set_model(selection, model);
	g_object_unref(model);
	return selection;
}

static void build_cells(void)
{
	GtkStringList *names = gtk_string_list_new((const char *const[]){"alpha", "beta", NULL});
	GtkSingleSelection *selection = selection_new(G_LIST_MODEL(names));
	GtkWidget *view = gtk_column_view_new(GTK_SELECTION_MODEL(selection));

	gtk_column_view_append_column(GTK_COLUMN_VIEW(view), gtk_column_view_column_new("Name",
		factory_new(on_setup, on_bind)));
	gtk_column_view_append_column(GTK_COLUMN_VIEW(view), gtk_column_view_column_new("Size",
		factory_new(on_setup, on_bind_size)));
	listen_to(selection, "notify::selected", G_CALLBACK(on_cell), NULL);
	listen_to(view, "activate", G_CALLBACK(on_activated), NULL);
	gtk_widget_set_size_request(view, 200, 100);
	add(right, view, "Cells");
}

static GListModel *leaves(gpointer item, gpointer data)
{
	static const char *const leaf[] = {"Leaf", NULL};

	(void)data;
	return g_str_equal(gtk_string_object_get_string(item), "Stem") ?
		G_LIST_MODEL(gtk_string_list_new(leaf)) : NULL;
}

static void on_branch_setup(GtkSignalListItemFactory *factory, GtkListItem *item)
{
	GtkWidget *expander = gtk_tree_expander_new();

	(void)factory;
	gtk_tree_expander_set_child(GTK_TREE_EXPANDER(expander), gtk_label_new(NULL));
	gtk_list_item_set_child(item, expander);
}

static void on_expanded(GtkTreeListRow *row)
{
	form_set("expanded", gtk_tree_list_row_get_expanded(row) ? "true" : "false");
}

static void on_branch_bind(GtkSignalListItemFactory *factory, GtkListItem *item)
{
	GtkTreeListRow *row = gtk_list_item_get_item(item);
	GtkTreeExpander *expander = GTK_TREE_EXPANDER(gtk_list_item_get_child(item));
	g_autoptr(GtkStringObject) object = gtk_tree_list_row_get_item(row);

	(void)factory;
	gtk_tree_expander_set_list_row(expander, row);
	gtk_label_set_text(GTK_LABEL(gtk_tree_expander_get_child(expander)),
		gtk_string_object_get_string(object));
	if (gtk_tree_list_row_is_expandable(row)) {
		listen_to(row, "notify::expanded", G_CALLBACK(on_expanded), NULL);
	}
}

static void on_branch(GtkSingleSelection *selection)
{
	GtkTreeListRow *row = gtk_single_selection_get_selected_item(selection);

	if (row) {
		g_autoptr(GtkStringObject) object = gtk_tree_list_row_get_item(row);

		form_set("branch", gtk_string_object_get_string(object));
	}
}

static void build_branches(void)
{
	GtkStringList *stems = gtk_string_list_new((const char *const[]){"Stem", NULL});
	GtkTreeListModel *tree = gtk_tree_list_model_new(G_LIST_MODEL(stems), FALSE, FALSE, leaves, NULL,
		NULL);
	GtkSingleSelection *selection = selection_new(G_LIST_MODEL(tree));
	GtkWidget *view = gtk_list_view_new(GTK_SELECTION_MODEL(selection),
		factory_new(on_branch_setup, on_branch_bind));

	listen_to(selection, "notify::selected", G_CALLBACK(on_branch), NULL);
	gtk_widget_set_size_request(view, 200, 80);
	add(right, view, "Branches");
}

static void on_menu(GSimpleAction *action, GVariant *label)
{
	(void)action;
	form_set("menu", g_variant_get_string(label, NULL));
}

static void on_grid(GSimpleAction *action, GVariant *value)
{
	g_simple_action_set_state(action, value);
	form_set("grid", g_variant_get_boolean(value) ? "true" : "false");
}

static void on_size(GSimpleAction *action, GVariant *value)
{
	g_simple_action_set_state(action, value);
	form_set("size", g_variant_get_string(value, NULL));
}

static void append(GMenu *menu, const char *label)
{
	g_autoptr(GMenuItem) item = g_menu_item_new(label, NULL);

	g_menu_item_set_action_and_target(item, "form.menu", "s", label);
	g_menu_append_item(menu, item);
}

static void build_menus(GtkWindow *window, GtkBox *box)
{
	static const GActionEntry entries[] = {
		{.name = "menu", .activate = (void *)on_menu, .parameter_type = "s"},
		{.name = "grid", .state = "false", .change_state = (void *)on_grid},
		{.name = "size", .parameter_type = "s", .state = "'Small'", .change_state = (void *)on_size},
	};
	g_autoptr(GSimpleActionGroup) group = g_simple_action_group_new();
	g_autoptr(GMenu) bar = g_menu_new(), file = g_menu_new(), more = g_menu_new(), view = g_menu_new();

	g_action_map_add_action_entries(G_ACTION_MAP(group), entries, G_N_ELEMENTS(entries), NULL);
	gtk_widget_insert_action_group(GTK_WIDGET(window), "form", G_ACTION_GROUP(group));
	append(file, "Open thing…");
	append(more, "Deep thing");
	g_menu_append_submenu(file, "_More", G_MENU_MODEL(more));
	g_menu_append(file, "Grey thing", "form.nothing");
	g_menu_append(view, "Small", "form.size::Small");
	g_menu_append(view, "Large", "form.size::Large");
	g_menu_append(view, "Show grid", "form.grid");
	g_menu_append_submenu(bar, "_File", G_MENU_MODEL(file));
	g_menu_append_submenu(bar, "_View", G_MENU_MODEL(view));
	add(box, gtk_popover_menu_bar_new_from_model(G_MENU_MODEL(bar)), NULL);
}

static void on_combo(GtkDropDown *combo)
{
	form_set("combo", gtk_drop_down_get_selected(combo) == 0 ? "One" : "Two");
}

static void on_value(GtkAdjustment *adjustment, const char *label)
{
	g_autofree char *text = g_strdup_printf("%d", (int)gtk_adjustment_get_value(adjustment));

	form_set(label, text);
}

static void on_text(GtkEditable *entry)
{
	form_set("text", gtk_editable_get_text(entry));
}

static void on_entered(GtkEditable *entry)
{
	form_set("entered", gtk_editable_get_text(entry));
}

static void build_fields(void)
{
	GtkWidget *combo = gtk_drop_down_new_from_strings((const char *const[]){"One", "Two", NULL});
	GtkAdjustment *spin = gtk_adjustment_new(5, 0, 10, 1, 5, 0);
	GtkAdjustment *slide = gtk_adjustment_new(5, 0, 10, 1, 5, 0);
	GtkWidget *entry = gtk_entry_new();

	add(left, combo, "Combo");
	add(left, gtk_spin_button_new(spin, 1, 0), "Spin");
	add(left, gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, slide), "Slide");
	add(left, entry, "Entry");
	gtk_editable_set_text(GTK_EDITABLE(entry), "typed");
	listen_to(combo, "notify::selected", G_CALLBACK(on_combo), NULL);
	listen_to(spin, "value-changed", G_CALLBACK(on_value), "spin");
	listen_to(slide, "value-changed", G_CALLBACK(on_value), "slide");
	listen_to(entry, "changed", G_CALLBACK(on_text), NULL);
	listen_to(entry, "activate", G_CALLBACK(on_entered), NULL);
}

static gboolean on_shown(gpointer data)
{
	(void)data;
	journal_ready("gtk4");
	return G_SOURCE_REMOVE;
}

static void on_map(GtkWidget *widget)
{
	(void)widget;
	g_idle_add_full(G_PRIORITY_LOW, on_shown, NULL, NULL);
}

static void on_closed(GtkWidget *widget, GMainLoop *loop)
{
	(void)widget;
	g_main_loop_quit(loop);
}

static void show_status(const char *text)
{
	gtk_label_set_text(GTK_LABEL(status), text);
}

int main(int argc, char **argv)
{
	g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);

	form_init(argc, argv, show_status);
	gtk_init();
	GtkWindow *window = GTK_WINDOW(gtk_window_new());
	gtk_window_set_title(window, "Harness form-gtk4");
	GtkBox *box = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
	GtkBox *columns = GTK_BOX(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12));
	left = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 4));
	right = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 4));
	build_menus(window, box);
	gtk_box_append(columns, GTK_WIDGET(left));
	gtk_box_append(columns, GTK_WIDGET(right));
	gtk_box_append(box, GTK_WIDGET(columns));
	status = add(box, gtk_label_new("nothing yet"), NULL);
	gtk_window_set_child(window, GTK_WIDGET(box));
	build_fields();
	build_tabs();
	build_rows();
	build_cells();
	build_branches();
	build_buttons();
	if (argc > 1 && g_str_equal(argv[argc - 1], "--menus")) {
		build_menu_buttons();
	}
	listen_to(window, "map", G_CALLBACK(on_map), NULL);
	listen_to(window, "destroy", G_CALLBACK(on_closed), loop);
	gtk_widget_show(GTK_WIDGET(window));
	g_main_loop_run(loop);
	return 0;
}
