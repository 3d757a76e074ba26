import { useNotifications } from '@mantine/notifications'
import { lazy, Suspense, useState } from 'react'
import { t } from '../words/t.ts'
import { retryUntilReachable } from './patiently.ts'

const ToastList = lazy(async () => ({
  default: (await retryUntilReachable(() => import('./messages.tsx'))).ToastList,
}))

/** The corner of short messages; what draws them is fetched with the first one, which waits for it. */
export function ToastArea() {
  const { notifications, queue } = useNotifications()
  const [wasNeeded, setNeeded] = useState(false)
  // Once there it stays, so that the last message can leave as it came.
  if (!wasNeeded && notifications.length + queue.length > 0) setNeeded(true)
  return (
    <aside aria-label={t('shell:messages')}>
      <Suspense fallback={null}>{wasNeeded && <ToastList />}</Suspense>
    </aside>
  )
}
