/**
 * The words for the next start. A recovery was for this start only, and so is safe mode once somebody has left it: else
 * nothing would be sent any more after the next bug, unseen. A window that was out of sight stays so: nobody expects one
 * to open by itself beside a patient. Pure.
 */
export function relaunchArguments(
  args: readonly string[],
  { isHidden, isSafe = false, add = [] }: { isHidden: boolean; isSafe?: boolean; add?: readonly string[] },
): string[] {
  const dropped = ['--recover', '--hidden', ...(isSafe ? [] : ['--safe-mode']), ...add]
  return [...args.filter((arg) => !dropped.includes(arg)), ...(isHidden ? ['--hidden'] : []), ...add]
}
