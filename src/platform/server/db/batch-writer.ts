/**
 * Writes rows of concurrent requests together: while one write is running, further rows wait and become the next write.
 * The returned function resolves when its row is written.
 */
export function createBatchWriter<Row>(write: (rows: Row[]) => Promise<void>): (row: Row) => Promise<void> {
  let waitingRows: Row[] = [];
  let runningWrite: Promise<void> = Promise.resolve();
  let nextWrite: Promise<void> | null = null;
  const writeWaitingRows = () => {
    const rows = waitingRows;
    waitingRows = [];
    nextWrite = null;
    runningWrite = write(rows);
    return runningWrite;
  };
  return (row) => {
    waitingRows.push(row);
    // A failed write fails the rows that were in it, and not the next ones.
    nextWrite ??= runningWrite.then(writeWaitingRows, writeWaitingRows);
    return nextWrite;
  };
}
