import { Notifications } from '@mantine/notifications'

/** Renders the toasts, above the bar of buttons. Fetched after the first page; earlier toasts are queued until then. */
export function ToastList() {
  return <Notifications position="bottom-right" limit={2} mb={64} withinPortal={false} />
}
