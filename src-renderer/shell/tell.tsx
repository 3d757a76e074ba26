import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { SECOND } from '../../src-shared/durations.ts'
import { announce } from './announcements.ts'
import { t } from '../words/t.ts'

export type Toast = {
  readonly tone: 'green' | 'red'
  readonly title?: string
  readonly message: string
  /** One thing that can be done about it, for as long as it is shown. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** Good news leaves by itself, later where it can be undone; bad news stays until it is closed. */
const GOOD_NEWS_MS = 4 * SECOND
const UNDO_MS = 10 * SECOND

/** Shows a short message in the corner and gives it to the live region. */
export function showToast({ tone, title, message, action }: Toast): void {
  const id = notifications.show({
    // The live region speaks; a second voice for the same words would be noise.
    role: 'group',
    'aria-label': title ?? message,
    color: tone === 'green' ? 'petrol' : 'red',
    icon:
      tone === 'green' ? <IconCheck size={18} aria-hidden /> : <IconAlertTriangle size={18} aria-hidden />,
    autoClose: tone === 'red' ? false : action ? UNDO_MS : GOOD_NEWS_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': t('shell:close') },
    title,
    message: (
      <>
        {message}
        {action && (
          <Button
            size="compact-sm"
            variant="light"
            ml="sm"
            onClick={() => {
              notifications.hide(id)
              action.run()
            }}
          >
            {action.label}
          </Button>
        )}
      </>
    ),
  })
  announce(title === undefined ? message : `${title}. ${message}`)
}
