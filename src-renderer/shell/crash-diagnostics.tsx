import { Dialog } from '../components/dialog.tsx'
import { Diagnostics } from '../help/diagnostics.tsx'
import { t } from '../i18n/i18n.ts'

export type CrashDiagnosticsProps = { readonly errorText: string; readonly onClose: () => void }

export function CrashDiagnostics({ errorText, onClose }: CrashDiagnosticsProps) {
  return (
    <Dialog opened onClose={onClose} size="xl" title={t('shell:crash.diagnostics')}>
      <Diagnostics screenError={errorText} />
    </Dialog>
  )
}
