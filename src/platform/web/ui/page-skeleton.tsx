/** Placeholder of a page whose content is still loading. */
export const PageSkeleton = () => (
  <main role="status" aria-label="正在加载" className="page-width min-h-[70vh] animate-pulse space-y-4 pt-8 pb-16">
    <div className="h-4 w-40 rounded-sm bg-sunken" />
    <div className="h-8 w-2/3 max-w-120 rounded-sm bg-sunken" />
    <div className="h-4 w-1/2 max-w-80 rounded-sm bg-sunken" />
    <div className="card h-[50vh]" />
  </main>
);
