/** Milliseconds of processor time that this process has used; other programs do not change it. */
export function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
