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

/** What a failure is about; one that names its case is true wherever it is read. */
type ToastSubject = 'case' | 'screen' | 'named'

type Toast = {
  readonly tone?: 'green' | 'red'
  readonly about?: ToastSubject
  readonly title?: string
  readonly message: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

const failures = new Map<string, ToastSubject>()

/** A failure leaves the screen with what it is about: above another case it would be untrue. */
export function hideFailures(about: readonly ToastSubject[]): void {
  for (const [id, subject] of failures) {
    if (!about.includes(subject)) continue
    notifications.hide(id)
    failures.delete(id)
  }
}

/** Success disappears on its own, later if it can be undone; failures stay until they are closed. */
const GOOD_NEWS_MS = 4 * SECOND
const UNDO_MS = 10 * SECOND

export function showToast({ tone = 'green', about = 'screen', title, message, action }: Toast): void {
  // The newest takes the place of the one before: a pile would cover the work.
  if (tone === 'red' && about !== 'named') hideFailures(['case', 'screen'])
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
  if (tone === 'red') failures.set(id, about)
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
export function showFailure(failure: Failure, about: ToastSubject = 'screen'): void {
  showToast({ tone: 'red', about, title: failureTitle(failure.kind), message: messageOf(failure) })
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
