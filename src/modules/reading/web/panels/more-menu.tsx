import {
  BookOpen,
  Contrast,
  Expand,
  type LucideIcon,
  MoveHorizontal,
  MoveVertical,
  Printer,
  RotateCw,
  Share2,
  Shrink,
} from 'lucide-react';
import { BottomSheet } from '#platform/web/ui/bottom-sheet.tsx';
import { Menu, MenuItem, type MenuProps, MenuSeparator } from '#platform/web/ui/menu.tsx';
import { toggleFullScreen, useFullScreen } from '../full-screen.ts';
import { useReaderPrefs } from '../reader-prefs.ts';
import { useReader, useReaderState } from '../reader-store.ts';

type Action = { label: string; icon: LucideIcon; run: () => void; isActive?: boolean };

/** Less frequent actions, in groups. */
function useMoreActions(): Action[][] {
  const { store, view, layout, isEmbedded } = useReader();
  const zoom = useReaderState((state) => state.zoom);
  const isDouble = useReaderState((state) => state.isDouble);
  const isInverted = useReaderPrefs((prefs) => prefs.isInverted);
  const isFull = useFullScreen();
  const pageActions: Action[][] = [
    [
      {
        label: '适合宽度',
        icon: MoveHorizontal,
        isActive: zoom === 'width',
        run: () => view.current?.zoomTo?.(zoom === 'width' ? 'auto' : 'width'),
      },
      {
        label: '适合整页',
        icon: MoveVertical,
        isActive: zoom === 'page',
        run: () => view.current?.zoomTo?.(zoom === 'page' ? 'auto' : 'page'),
      },
      {
        label: '双页',
        icon: BookOpen,
        isActive: isDouble,
        run: () => store.dispatch({ type: 'doublePagesToggled' }),
      },
      { label: '顺时针旋转', icon: RotateCw, run: () => store.dispatch({ type: 'rotated' }) },
      {
        label: '深色页面',
        icon: Contrast,
        isActive: isInverted,
        run: () => useReaderPrefs.setState({ isInverted: !isInverted }),
      },
    ],
  ];
  return [
    ...(layout.view === 'pages' ? pageActions : []),
    [
      ...(document.fullscreenEnabled
        ? [
            {
              label: isFull ? '退出全屏' : '全屏',
              icon: isFull ? Shrink : Expand,
              run: toggleFullScreen,
            },
          ]
        : []),
      ...(isEmbedded
        ? []
        : [{ label: '分享', icon: Share2, run: () => store.dispatch({ type: 'dialogOpened', dialog: 'share' }) }]),
      ...(layout.may_print && layout.view === 'pages'
        ? [{ label: '打印', icon: Printer, run: () => store.dispatch({ type: 'dialogOpened', dialog: 'print' }) }]
        : []),
    ],
  ];
}

const activeClass = 'text-bean';

export function MoreMenu(popup: Pick<MenuProps, 'open' | 'onOpenChange' | 'anchor'>) {
  const groups = useMoreActions();
  return (
    <Menu {...popup} label="更多" align="end" className="w-48">
      {groups.map((actions, index) => (
        <div key={actions[0]?.label}>
          {index > 0 ? <MenuSeparator /> : null}
          {actions.map(({ label, icon: Icon, run, isActive }) => (
            <MenuItem key={label} onClick={run} className={isActive ? activeClass : ''}>
              <Icon aria-hidden="true" className="size-4.5" />
              {label}
              {isActive ? <span className="ml-auto text-12">已开启</span> : null}
            </MenuItem>
          ))}
        </div>
      ))}
    </Menu>
  );
}

export function MoreSheet({ onClose }: { onClose: () => void }) {
  const actions = useMoreActions().flat();
  return (
    <BottomSheet open onClose={onClose} title="更多">
      <div className="grid grid-cols-4 gap-2">
        {actions.map(({ label, icon: Icon, run, isActive }) => (
          <button
            key={label}
            type="button"
            aria-pressed={isActive}
            className="flex flex-col items-center gap-1.5 rounded-md py-3 text-12 text-ink-2 aria-pressed:bg-bean-soft aria-pressed:text-bean"
            onClick={() => {
              run();
              onClose();
            }}
          >
            <Icon aria-hidden="true" className="size-5.5" />
            {label}
          </button>
        ))}
      </div>
    </BottomSheet>
  );
}
