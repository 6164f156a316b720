type Option = { value: string; label: string };

/** Parses lines of `value:label`. */
export const parseSelectOptions = (options: string): Option[] =>
  options
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const at = line.indexOf(':');
      return at < 0 ? { value: line, label: line } : { value: line.slice(0, at), label: line.slice(at + 1) };
    });

/** Parses lines of `value:group/label`; options without a group stay as they are. */
export function parseGroupedOptions(options: string): (Option | { label: string; options: Option[] })[] {
  const ungroupedOptions: Option[] = [];
  const groups = new Map<string, Option[]>();
  for (const { value, label } of parseSelectOptions(options)) {
    const at = label.indexOf('/');
    if (at < 0) ungroupedOptions.push({ value, label });
    else
      groups.set(label.slice(0, at), [
        ...(groups.get(label.slice(0, at)) ?? []),
        { value, label: label.slice(at + 1) },
      ]);
  }
  return [...ungroupedOptions, ...[...groups].map(([label, members]) => ({ label, options: members }))];
}
