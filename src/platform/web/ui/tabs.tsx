import { Tabs as Base } from '@base-ui/react/tabs';
import { type ReactNode, useState } from 'react';

export type Tab = { value: string; title: string; content: ReactNode };

/** A panel stays mounted once opened, so that typed text survives a switch to another tab. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const [openedTabs, setOpenedTabs] = useState([tabs[0]?.value]);
  return (
    <Base.Root defaultValue={tabs[0]?.value} onValueChange={(value) => setOpenedTabs((before) => [...before, value])}>
      <Base.List aria-label={label} className="relative flex border-b border-line">
        {tabs.map(({ value, title }) => (
          <Base.Tab
            key={value}
            value={value}
            className="min-h-11 px-4 text-14 text-ink-2 transition-colors hover:text-bean focus-visible:-outline-offset-2 data-active:font-medium data-active:text-bean"
          >
            {title}
          </Base.Tab>
        ))}
        <Base.Indicator className="absolute bottom-[-1px] left-(--active-tab-left) h-0.5 w-(--active-tab-width) bg-bean transition-[left,width]" />
      </Base.List>
      {tabs.map(({ value, content }) => (
        <Base.Panel
          key={value}
          value={value}
          keepMounted={openedTabs.includes(value)}
          className="pt-5 outline-offset-4"
        >
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
