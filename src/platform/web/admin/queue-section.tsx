import type { ReactNode } from 'react';

type QueueSectionProps = {
  title: string;
  listedCount?: number;
  total?: number;
  action?: ReactNode;
  children: ReactNode;
};

/** A table of a queue with its title; names the total if not all rows are listed. */
export function QueueSection({ title, listedCount = 0, total = 0, action, children }: QueueSectionProps) {
  return (
    <section className="admin-card admin-section">
      <div className="admin-section-head">
        <h2>{title}</h2>
        {total > listedCount && (
          <span>
            共 {total} 个，显示 {listedCount} 个
          </span>
        )}
        {action}
      </div>
      {children}
    </section>
  );
}

/** Figures in a row. */
export function QueueFigures({ figures }: { figures: readonly { label: string; value: ReactNode }[] }) {
  return (
    <ul className="admin-stats">
      {figures.map(({ label, value }) => (
        <li key={label} className="admin-stat">
          <strong>{value}</strong>
          <span>{label}</span>
        </li>
      ))}
    </ul>
  );
}

type QueuedDocument = { id: number; title: string; username: string };

/** The first document that uses a file of a queue. */
export function QueuedDocumentCell({
  documents: [first, ...otherDocuments],
}: {
  documents: readonly QueuedDocument[];
}) {
  if (!first) return '没有文档使用';
  return (
    <>
      <a className="admin-clip" href={`/document/${first.id}`} target="_blank" rel="noreferrer">
        {first.title}
      </a>
      {otherDocuments.length > 0 && ' 等'}
    </>
  );
}
