import { Notifications } from '@mantine/notifications'

/** Renders the toasts. Fetched after the first page; earlier toasts are queued until then. */
export function ToastList() {
  return <Notifications position="bottom-right" limit={4} withinPortal={false} />
}
