import { Kbd, Modal } from '@mantine/core'
import { KEYBOARD_WORDS, SHELL_WORDS } from '../words/shell-words.ts'
import css from './keyboard-help.module.css'

export type KeyboardHelpProps = { readonly isShown: boolean; readonly onClose: () => void }

/** Every key that does something. */
export function KeyboardHelp({ isShown, onClose }: KeyboardHelpProps) {
  return (
    <Modal
      opened={isShown}
      onClose={onClose}
      title={KEYBOARD_WORDS.title}
      size="lg"
      closeButtonProps={{ 'aria-label': SHELL_WORDS.close }}
    >
      <div className={css.groups}>
        {(['everywhere', 'queue', 'submission'] as const).map((group) => (
          <section key={group}>
            <h3 className={css.heading}>{KEYBOARD_WORDS[group]}</h3>
            <dl className={css.keys}>
              {KEYBOARD_WORDS.keys[group].map(({ keys, does }) => (
                <div key={does}>
                  <dt>
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
