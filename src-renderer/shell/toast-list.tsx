import { Notifications } from '@mantine/notifications'

/** Where short messages appear. Fetched after the first page: what is told before it is here is kept until then. */
export function ToastList() {
  return <Notifications position="bottom-right" limit={4} withinPortal={false} />
}
