import { Kbd, Modal } from '@mantine/core'
import type { Words } from '../words/english.ts'
import { t } from '../words/t.ts'
import css from './keyboard-help.module.css'

export type KeyboardHelpProps = { readonly isShown: boolean; readonly onClose: () => void }

/** Keys that are called otherwise in other languages; all others are written as they are. */
type NamedKey = 'ctrl' | 'enter' | 'space' | 'delete' | 'escape'
type Does = keyof Words['shell']['keys']['does']
type Key = { readonly keys: readonly (string | { readonly name: NamedKey })[]; readonly does: Does }

const CTRL = { name: 'ctrl' } as const
const ENTER = { name: 'enter' } as const

const GROUPS = {
  everywhere: [
    { keys: [CTRL, '1\u20135'], does: 'screens' },
    { keys: [CTRL, 'F'], does: 'search' },
    { keys: ['F1'], does: 'help' },
    { keys: [{ name: 'escape' }], does: 'escape' },
  ],
  queue: [
    { keys: ['\u2191', '\u2193'], does: 'move' },
    { keys: [ENTER], does: 'open' },
    { keys: [{ name: 'space' }], does: 'select' },
    { keys: ['A'], does: 'approve' },
    { keys: ['R'], does: 'retry' },
    { keys: ['H'], does: 'hold' },
    { keys: [{ name: 'delete' }], does: 'discard' },
  ],
  submission: [
    { keys: ['R'], does: 'right' },
    { keys: ['L'], does: 'left' },
    { keys: ['U'], does: 'unknown' },
    { keys: [ENTER], does: 'enlarge' },
    { keys: [CTRL, 'S'], does: 'save' },
    { keys: [CTRL, ENTER], does: 'send' },
  ],
} as const satisfies Readonly<Record<string, readonly Key[]>>

const GROUP_NAMES = Object.keys(GROUPS) as (keyof typeof GROUPS)[]

/** Every key that does something. */
export function KeyboardHelp({ isShown, onClose }: KeyboardHelpProps) {
  return (
    <Modal
      opened={isShown}
      onClose={onClose}
      title={t('shell:keys.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div className={css.groups}>
        {GROUP_NAMES.map((group) => (
          <section key={group}>
            <h3 className={css.heading}>{t(`shell:keys.${group}`)}</h3>
            <dl className={css.keys}>
              {GROUPS[group].map(({ keys, does }) => (
                <div key={does}>
                  <dt>
                    {keys.map((key) => {
                      const text = typeof key === 'string' ? key : t(`shell:keys.names.${key.name}`)
                      return <Kbd key={text}>{text}</Kbd>
                    })}
                  </dt>
                  <dd>{t(`shell:keys.does.${does}`)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
