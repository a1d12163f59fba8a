/* SPDX-License-Identifier: MIT */
/* Menus of Swing; the title says what was chosen last. */
import javax.swing.*;

public class Menus {
	private static final JFrame frame = new JFrame("menus");

	private static JMenuItem item(String name) {
		JMenuItem item = new JMenuItem(name);
		item.addActionListener(event -> frame.setTitle(name));
		return item;
	}

	private static void show() {
		JMenuBar bar = new JMenuBar();
		JMenu file = new JMenu("File"), more = new JMenu("More");
		JComboBox<String> combo = new JComboBox<>(new String[] { "One", "Two", "Three" });
		JButton context = new JButton("Context me");
		JPopupMenu menu = new JPopupMenu();
		JPanel panel = new JPanel();

		more.add(item("Deep thing"));
		file.add(item("Open thing"));
		file.add(more);
		bar.add(file);
		combo.addActionListener(event -> frame.setTitle((String)combo.getSelectedItem()));
		menu.add(item("Rename thing"));
		context.setComponentPopupMenu(menu);
		panel.add(combo);
		panel.add(context);
		frame.setJMenuBar(bar);
		frame.add(panel);
		frame.setBounds(50, 50, 400, 300);
		frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
		frame.setVisible(true);
	}

	public static void main(String[] args) {
		SwingUtilities.invokeLater(Menus::show);
	}
}
