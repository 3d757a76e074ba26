import { Notifications } from '@mantine/notifications'
import css from './toast-list.module.css'

/** Renders the toasts. Fetched after the first page; earlier toasts are queued until then. */
export function ToastList() {
  return <Notifications className={css.toasts} position="bottom-right" limit={4} withinPortal={false} />
}
