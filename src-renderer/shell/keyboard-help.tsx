/** The list of keyboard shortcuts. */
import { Kbd } from '@mantine/core'
import { type Icon, IconArrowDown, IconArrowLeft, IconArrowRight, IconArrowUp } from '@tabler/icons-react'
import { Dialog } from '../components/dialog.tsx'
import type { Texts } from '../../src-shared/texts/english.ts'
import { t } from '../i18n/i18n.ts'
import css from './keyboard-help.module.css'
import type { Route } from './navigation.tsx'

type Key = {
  readonly keys: readonly string[]
  readonly does: keyof Texts['help']['keys']['does']
}

/** Keys whose names are translated; all others are shown as they are. */
const NAMED_KEYS = ['ctrl', 'enter', 'space', 'delete', 'escape', 'backspace'] as const

/** Some system fonts lack these characters. */
const ARROWS: Readonly<Partial<Record<string, Icon>>> = {
  '\u2190': IconArrowLeft,
  '\u2191': IconArrowUp,
  '\u2192': IconArrowRight,
  '\u2193': IconArrowDown,
}

const GROUPS = {
  everywhere: [
    { keys: ['ctrl', '1\u20136'], does: 'screens' },
    { keys: ['ctrl', 'K'], does: 'find' },
    { keys: ['ctrl', 'F'], does: 'search' },
    { keys: ['F1', '?'], does: 'help' },
    { keys: ['escape'], does: 'escape' },
  ],
  queue: [
    { keys: ['\u2191', '\u2193'], does: 'move' },
    { keys: ['enter'], does: 'approve' },
    { keys: ['1', '2', 'R', 'L'], does: 'eyes' },
    { keys: ['backspace'], does: 'takeBack' },
    { keys: ['ctrl', 'Z'], does: 'undo' },
    { keys: ['E'], does: 'open' },
    { keys: ['X'], does: 'exclude' },
    { keys: ['space'], does: 'select' },
    { keys: ['H'], does: 'hold' },
    { keys: ['delete'], does: 'discard' },
  ],
  submission: [
    { keys: ['R'], does: 'right' },
    { keys: ['L'], does: 'left' },
    { keys: ['U'], does: 'unknown' },
    { keys: ['enter'], does: 'enlarge' },
    { keys: ['ctrl', 'S'], does: 'save' },
    { keys: ['ctrl', 'enter'], does: 'send' },
  ],
  reports: [
    { keys: ['\u2191', '\u2193'], does: 'neighbour' },
    { keys: ['N'], does: 'nextUnread' },
    { keys: ['U'], does: 'unread' },
    { keys: ['P'], does: 'print' },
  ],
  viewer: [
    { keys: ['+', '\u2212'], does: 'zoom' },
    { keys: ['0', '1'], does: 'fit' },
    { keys: ['\u2190', '\u2191', '\u2192', '\u2193'], does: 'pan' },
    { keys: ['[', ']'], does: 'step' },
    { keys: ['G'], does: 'redFree' },
    { keys: ['I'], does: 'invert' },
    { keys: ['C'], does: 'levels' },
    { keys: ['S'], does: 'beside' },
    { keys: ['V'], does: 'earlier' },
    { keys: ['K'], does: 'link' },
    { keys: ['M'], does: 'mirror' },
    { keys: ['R', 'L', 'U'], does: 'assign' },
    { keys: ['F'], does: 'fullScreen' },
  ],
} as const satisfies Readonly<Record<string, readonly Key[]>>

/** The viewer opens from a case, and from a report with its images. */
const GROUPS_OF: Readonly<Partial<Record<Route['screen'], readonly (keyof typeof GROUPS)[]>>> = {
  queue: ['queue'],
  submission: ['submission', 'viewer'],
  reports: ['reports', 'viewer'],
}

type KeyboardHelpProps = { readonly screen: Route['screen']; readonly onClose: () => void }

/** The keys of one screen, and those of all. */
export function KeyboardHelp({ screen, onClose }: KeyboardHelpProps) {
  return (
    <Dialog opened onClose={onClose} title={t('shell:keyboard')} size="xl">
      <div className={css.groups}>
        {([...(GROUPS_OF[screen] ?? []), 'everywhere'] as const).map((group) => (
          <section key={group}>
            <h3 className={css.heading}>{t(`help:keys.${group}`)}</h3>
            <dl className={css.keys}>
              {GROUPS[group].map(({ keys, does }) => (
                <div key={does}>
                  <dt>
                    {keys.map((key) => {
                      const named = NAMED_KEYS.find((one) => one === key)
                      const text = named === undefined ? key : t(`help:keys.names.${named}`)
                      const Arrow = ARROWS[text]
                      return <Kbd key={text}>{Arrow ? <Arrow size={13} aria-label={text} /> : text}</Kbd>
                    })}
                  </dt>
                  <dd>{t(`help:keys.does.${does}`)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
