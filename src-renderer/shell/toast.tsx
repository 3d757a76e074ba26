/** Toasts and announcements, at most one in five seconds: people switch off screen readers that talk too much. */
import { Button } from '@mantine/core'
import { notifications, useNotifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { createStore } from 'zustand/vanilla'
import type { CallInput, CallName, CallOutput } from '../../src-shared/contract.ts'
import { SECOND } from '../../src-shared/durations.ts'
import { type Failure } from '../../src-shared/failure.ts'
import { failureTitle, messageOf, t } from '../i18n/i18n.ts'
import type { StationSession } from '../store/store.ts'
import { retryUntilReachable } from './navigation.tsx'

const PAUSE_MS = 5 * SECOND

export const announcements = createStore<{ readonly text: string }>(() => ({ text: '' }))

let pending: string[] = []

let timer: ReturnType<typeof setTimeout> | undefined

export function announce(text: string): void {
  if (!pending.includes(text)) pending.push(text)
  if (timer !== undefined) return
  flush()
}

/** Clears past and pending announcements: their language is no longer in use. */
export function clearAnnouncements(): void {
  pending = []
  announcements.setState({ text: '' })
}

function flush(): void {
  const text = pending.join(' ')
  // Repeating a text changes nothing in the page, and it would not be spoken.
  const isRepeated = announcements.getState().text === text
  announcements.setState({ text: isRepeated ? `${text}\u00a0` : text })
  pending = []
  timer = setTimeout(() => {
    timer = undefined
    if (pending.length > 0) flush()
  }, PAUSE_MS)
}

type Toast = {
  readonly tone?: 'green' | 'red'
  readonly title?: string
  readonly message: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** Success disappears on its own, later if it can be undone; failures stay until they are closed. */
const GOOD_NEWS_MS = 4 * SECOND
const UNDO_MS = 10 * SECOND

export function showToast({ tone = 'green', title, message, action }: Toast): void {
  const id = notifications.show({
    // The live region speaks; a second announcement of the same text would be noise.
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

const ToastList = lazy(async () => ({
  default: (await retryUntilReachable(() => import('./toast-list.tsx'))).ToastList,
}))

/** The area of the toasts; their renderer is fetched with the first one, which waits for it. */
export function ToastArea() {
  const { notifications, queue } = useNotifications()
  const [wasNeeded, setNeeded] = useState(false)
  // It stays mounted, so that the last toast can fade out.
  if (!wasNeeded && notifications.length + queue.length > 0) setNeeded(true)
  return (
    <aside aria-label={t('shell:messages')}>
      <Suspense fallback={null}>{wasNeeded && <ToastList />}</Suspense>
    </aside>
  )
}

/** Shows a failure that belongs to no particular element. */
export function showFailure(failure: Failure): void {
  showToast({ tone: 'red', title: failureTitle(failure.kind), message: messageOf(failure) })
}

/** Makes a call and shows its failure; resolves with the value, or null after a failure. */
export async function runCall<Name extends CallName>(
  session: StationSession,
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name> | null> {
  const answer = await session.call(name, input)
  if (answer.ok) return answer.value
  showFailure(answer.failure)
  return null
}
