/** What stands in the menu of the mark beside the clock. Pure. */
import { HOUR, MINUTE, SECOND } from '../../src-shared/durations.ts'
import type { TrayState } from './tray-state.ts'
import type { HostWords } from './words/host-words.ts'

export type TrayChoice =
  | { readonly kind: 'open' }
  | { readonly kind: 'pause'; readonly seconds: number | null }
  | { readonly kind: 'resume' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'help' }
  | { readonly kind: 'quit' }

export type TrayEntry =
  | { readonly kind: 'line' }
  /** Told and not to be chosen. */
  | { readonly kind: 'words'; readonly label: string }
  | { readonly kind: 'choice'; readonly label: string; readonly choice: TrayChoice }
  | { readonly kind: 'choices'; readonly label: string; readonly entries: readonly TrayEntry[] }

/** The entries from top to bottom. `lines` is what the station does, see `trayLines`. */
export function trayMenu(
  pause: TrayState['pause'],
  lines: readonly string[],
  { tray: texts }: Pick<HostWords, 'tray'>,
): readonly TrayEntry[] {
  return [
    choiceEntry(texts.open, { kind: 'open' }),
    { kind: 'line' },
    ...lines.map((label): TrayEntry => ({ kind: 'words', label: capitalise(label) })),
    { kind: 'line' },
    ...pauseEntries(pause, texts),
    choiceEntry(texts.settings, { kind: 'settings' }),
    choiceEntry(texts.help, { kind: 'help' }),
    { kind: 'line' },
    choiceEntry(texts.quit, { kind: 'quit' }),
  ]
}

function pauseEntries(pause: TrayState['pause'], texts: HostWords['tray']): readonly TrayEntry[] {
  switch (pause) {
    case 'none':
      return []
    case 'inForce':
      return [choiceEntry(texts.resume, { kind: 'resume' })]
    case 'possible':
      return [
        {
          kind: 'choices',
          label: texts.pause,
          entries: [
            choiceEntry(texts.pause15, { kind: 'pause', seconds: (15 * MINUTE) / SECOND }),
            choiceEntry(texts.pause60, { kind: 'pause', seconds: HOUR / SECOND }),
            choiceEntry(texts.pauseUntilResumed, { kind: 'pause', seconds: null }),
          ],
        },
      ]
  }
}

function choiceEntry(label: string, chosen: TrayChoice): TrayEntry {
  return { kind: 'choice', label, choice: chosen }
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
