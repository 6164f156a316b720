import {
  AlignCenterOutlined,
  AlignLeftOutlined,
  AlignRightOutlined,
  BoldOutlined,
  CodeOutlined,
  ItalicOutlined,
  LinkOutlined,
  MinusOutlined,
  OrderedListOutlined,
  PictureOutlined,
  RedoOutlined,
  StrikethroughOutlined,
  TableOutlined,
  UnderlineOutlined,
  UndoOutlined,
  UnorderedListOutlined,
} from '@ant-design/icons';
import { type Editor, useEditorState } from '@tiptap/react';
import { App, Button, Input, Select, Tooltip } from 'antd';
import { type ReactNode, useRef } from 'react';
import { imageUploadApi } from '#modules/attachment/attachment.contract.ts';
import { uploadFile } from '#platform/web/api.ts';
import { useMessages } from '#platform/web/use-action.ts';

type Tool = {
  label: string;
  icon: ReactNode;
  active?: (editor: Editor) => boolean;
  run: (editor: Editor) => void;
};

const isMarkActive = (name: string) => (editor: Editor) => editor.isActive(name);
const isAligned = (textAlign: string) => (editor: Editor) => editor.isActive({ textAlign });

const tools: Tool[] = [
  { label: '撤销', icon: <UndoOutlined />, run: (editor) => editor.chain().focus().undo().run() },
  { label: '重做', icon: <RedoOutlined />, run: (editor) => editor.chain().focus().redo().run() },
  {
    label: '加粗',
    icon: <BoldOutlined />,
    active: isMarkActive('bold'),
    run: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    label: '斜体',
    icon: <ItalicOutlined />,
    active: isMarkActive('italic'),
    run: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    label: '下划线',
    icon: <UnderlineOutlined />,
    active: isMarkActive('underline'),
    run: (editor) => editor.chain().focus().toggleUnderline().run(),
  },
  {
    label: '删除线',
    icon: <StrikethroughOutlined />,
    active: isMarkActive('strike'),
    run: (editor) => editor.chain().focus().toggleStrike().run(),
  },
  {
    label: '无序列表',
    icon: <UnorderedListOutlined />,
    active: isMarkActive('bulletList'),
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    label: '有序列表',
    icon: <OrderedListOutlined />,
    active: isMarkActive('orderedList'),
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    label: '引用',
    icon: <span aria-hidden>❝</span>,
    active: isMarkActive('blockquote'),
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    label: '代码块',
    icon: <CodeOutlined />,
    active: isMarkActive('codeBlock'),
    run: (editor) => editor.chain().focus().toggleCodeBlock().run(),
  },
  {
    label: '分隔线',
    icon: <MinusOutlined />,
    run: (editor) => editor.chain().focus().setHorizontalRule().run(),
  },
  {
    label: '左对齐',
    icon: <AlignLeftOutlined />,
    active: isAligned('left'),
    run: (editor) => editor.chain().focus().setTextAlign('left').run(),
  },
  {
    label: '居中',
    icon: <AlignCenterOutlined />,
    active: isAligned('center'),
    run: (editor) => editor.chain().focus().setTextAlign('center').run(),
  },
  {
    label: '右对齐',
    icon: <AlignRightOutlined />,
    active: isAligned('right'),
    run: (editor) => editor.chain().focus().setTextAlign('right').run(),
  },
  {
    label: '插入表格',
    icon: <TableOutlined />,
    run: (editor) => editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
  },
];

const blocks = [
  { value: 0, label: '正文' },
  { value: 2, label: '标题 2' },
  { value: 3, label: '标题 3' },
  { value: 4, label: '标题 4' },
];

export function RichTextToolbar({ editor }: { editor: Editor }) {
  const state = useEditorState({
    editor,
    selector: ({ editor }) => ({
      active: tools.map(({ active }) => active?.(editor) ?? false),
      block: [2, 3, 4].find((level) => editor.isActive('heading', { level })) ?? 0,
    }),
  });
  const setBlock = (level: number) =>
    level === 0
      ? editor.chain().focus().setParagraph().run()
      : editor
          .chain()
          .focus()
          .setHeading({ level: level as 2 | 3 | 4 })
          .run();

  const editLink = useLinkDialog(editor);

  return (
    <div className="admin-editor-tools" role="toolbar" aria-label="文字格式">
      <Select
        size="small"
        aria-label="段落样式"
        value={state.block}
        options={blocks}
        onChange={setBlock}
        style={{ width: 92 }}
      />
      {tools.map(({ label, icon, run }, index) => (
        <ToolButton key={label} label={label} icon={icon} onClick={() => run(editor)} isActive={state.active[index]} />
      ))}
      <ToolButton label="链接" icon={<LinkOutlined />} onClick={editLink} />
      <PictureButton editor={editor} />
    </div>
  );
}

type ToolButtonProps = { label: string; icon: ReactNode; onClick: () => void; isActive?: boolean };

const ToolButton = ({ label, icon, onClick, isActive = false }: ToolButtonProps) => (
  <Tooltip title={label}>
    <Button
      type="text"
      size="small"
      icon={icon}
      aria-label={label}
      aria-pressed={isActive}
      className={isActive ? 'admin-tool-active' : undefined}
      onClick={onClick}
    />
  </Tooltip>
);

/** Returns a function that asks for the address of the selected link. */
function useLinkDialog(editor: Editor) {
  const { modal } = App.useApp();
  return () => {
    let href: string = editor.getAttributes('link').href ?? '';
    modal.confirm({
      title: '链接',
      icon: null,
      content: (
        <Input
          aria-label="链接地址"
          placeholder="https:// 或 /article/help；留空则移除链接"
          defaultValue={href}
          onChange={(event) => {
            href = event.target.value.trim();
          }}
        />
      ),
      okText: '确定',
      cancelText: '取消',
      onOk: () => {
        const chain = editor.chain().focus().extendMarkRange('link');
        if (href) chain.setLink({ href }).run();
        else chain.unsetLink().run();
      },
    });
  };
}

function PictureButton({ editor }: { editor: Editor }) {
  const { failure: showFailure } = useMessages();
  const picture = useRef<HTMLInputElement>(null);
  const addPicture = async (file: File) => {
    try {
      const { data } = await uploadFile(imageUploadApi.uploadArticle, file);
      editor.chain().focus().setImage({ src: data.url, alt: data.alt }).run();
    } catch (error) {
      showFailure(error, '上传失败');
    }
  };
  return (
    <>
      <ToolButton label="插入图片" icon={<PictureOutlined />} onClick={() => picture.current?.click()} />
      <input
        ref={picture}
        type="file"
        hidden
        accept="image/*"
        aria-label="选择图片"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) addPicture(file);
        }}
      />
    </>
  );
}
