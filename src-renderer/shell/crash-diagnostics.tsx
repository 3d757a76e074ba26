import { Modal } from '@mantine/core'
import { Diagnostics } from '../help/diagnostics.tsx'
import { t } from '../i18n/i18n.ts'

export type CrashDiagnosticsProps = { readonly errorText: string; readonly onClose: () => void }

/** The diagnostics, with the screens' own error. */
export function CrashDiagnostics({ errorText, onClose }: CrashDiagnosticsProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('shell:crash.diagnostics')}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Diagnostics screenError={errorText} />
    </Modal>
  )
}
