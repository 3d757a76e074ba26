import { Switch } from '@mantine/core'
import { Caution } from '../parts/caution.tsx'
import { useAnswer } from '../store/use-answer.ts'
import { useStation } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import { ManagedGroup } from './managed-part.tsx'

export type StartAtLoginProps = { readonly isOn: boolean; readonly onWrite: (isOn: boolean) => void }

/** Whether the desktop app is started at login; elsewhere it says whose matter that is. */
export function StartAtLogin({ isOn, onWrite }: StartAtLoginProps) {
  const host = useStation((state) => state.status?.host ?? 'headless')
  // Read anew with each snapshot; what the system says does not change while somebody looks at this.
  const { value: about } = useAnswer('station.about', host === 'electron' ? {} : null)
  if (host !== 'electron') return <p className="dim">{t('settings:general.startElsewhere')}</p>
  return (
    <ManagedGroup keys={['desktop']}>
      <Switch
        label={t('settings:general.startAtLogin')}
        description={t('settings:general.startAtLoginHint')}
        checked={isOn}
        onChange={(event) => onWrite(event.currentTarget.checked)}
      />
      {about?.startAtLogin === 'refused' && <Caution>{t('settings:general.startRefused')}</Caution>}
    </ManagedGroup>
  )
}
