import { Link } from 'react-router';
import { Menu, MenuItem, type MenuProps, MenuSeparator } from '#platform/web/ui/menu.tsx';
import { useVisibleCategories } from './use-categories.ts';

export function CategoryMenuPopup(popup: Pick<MenuProps, 'open' | 'onOpenChange' | 'anchor'>) {
  const roots = useVisibleCategories();
  return (
    <Menu {...popup} label="频道分类" className="w-56">
      <MenuItem render={<Link to="/category" />}>全部文档</MenuItem>
      {roots.length > 0 ? <MenuSeparator /> : null}
      {roots.map(({ id, title, children }) => (
        <MenuItem key={id} render={<Link to={`/category/${id}`} />}>
          <span className="min-w-0 flex-1 truncate">{title}</span>
          {children.length > 0 ? <span className="text-12 text-ink-2">{children.length} 个子类</span> : null}
        </MenuItem>
      ))}
    </Menu>
  );
}
