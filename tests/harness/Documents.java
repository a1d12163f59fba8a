// SPDX-License-Identifier: MIT
/* One process with two windows of Swing, each with a field; what they hold is in their titles, as in documents.c. */
import javax.swing.JFrame;
import javax.swing.JTextField;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;

class Documents {
	static void open(String name) {
		JFrame window = new JFrame(name + ":");
		JTextField field = new JTextField(30);
		field.getDocument().addDocumentListener(new DocumentListener() {
			void tell() {
				window.setTitle(name + ":" + field.getText());
			}
			public void changedUpdate(DocumentEvent event) {
				tell();
			}
			public void insertUpdate(DocumentEvent event) {
				tell();
			}
			public void removeUpdate(DocumentEvent event) {
				tell();
			}
		});
		window.add(field);
		window.setSize(400, 120);
		window.setVisible(true);
	}

	public static void main(String[] arguments) {
		open("left");
		open("right");
	}
}
