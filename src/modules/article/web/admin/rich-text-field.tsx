import Image from '@tiptap/extension-image';
import { TableKit } from '@tiptap/extension-table';
import TextAlign from '@tiptap/extension-text-align';
import { EditorContent, useEditor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { useEffect } from 'react';
import { RichTextToolbar } from './rich-text-toolbar.tsx';

const extensions = [
  StarterKit.configure({ heading: { levels: [2, 3, 4] }, link: { openOnClick: false } }),
  Image,
  TableKit.configure({ table: { resizable: false } }),
  TextAlign.configure({ types: ['heading', 'paragraph'] }),
];

type Props = { id?: string; value?: string; onChange?: (html: string) => void };

/** Rich text editor whose form value is HTML. The server sanitizes it. */
export function RichTextField({ id, value = '', onChange }: Props) {
  const editor = useEditor({
    extensions,
    content: value,
    immediatelyRender: true,
    editorProps: {
      attributes: { class: 'prose admin-editor', 'aria-label': '内容', ...(id && { id }) },
    },
    onUpdate: (event) => onChange?.(event.editor.isEmpty ? '' : event.editor.getHTML()),
  });
  // The form sets the value after the editor is mounted.
  useEffect(() => {
    const currentHtml = editor.isEmpty ? '' : editor.getHTML();
    if (value !== currentHtml && !editor.isFocused) editor.commands.setContent(value, { emitUpdate: false });
  }, [editor, value]);
  return (
    <div className="admin-editor-frame">
      <RichTextToolbar editor={editor} />
      <EditorContent editor={editor} />
    </div>
  );
}
