import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { DeliverySettings, Settings } from '../../src-shared/settings.ts'
import { showToast } from '../shell/tell.tsx'
import { RATE_UNITS, rateText, readRate } from './amounts.ts'
import { NumberSetting } from './number-setting.tsx'
import { readSetting } from './read-setting.ts'
import { ManagedGroup } from './managed-part.tsx'
import { SettingsForm } from './settings-form.tsx'
import css from './settings-screen.module.css'
import { useSaveSettings } from './use-save-settings.ts'
import { t } from '../words/t.ts'

const CONCURRENCY = { min: 1, max: 8, isWhole: true } as const
/** Oftener than each ten seconds is no use to anybody; a day is the longest that a report may wait unseen. */
const CHECK = { min: 10, max: 86_400 } as const

const PARTS = ['delivery', 'reports'] as const

export type SendingSectionProps = {
  readonly delivery: DeliverySettings
  readonly reports: Settings['reports']
}

/** How cases travel, and how often reports are asked for. */
export function SendingSection({ delivery, reports }: SendingSectionProps) {
  const { save, isSaving } = useSaveSettings()
  const [concurrency, setConcurrency] = useState(String(delivery.concurrency))
  const [resend, setResend] = useState(delivery.resendWhenProvenAbsent)
  const [check, setCheck] = useState(String(reports.checkSeconds))

  const [rate, setRate] = useState(() => rateText(delivery.bytesPerSecond))
  const [folder, setFolder] = useState(reports.saveTo ?? '')
  const readLimit = readRate(rate, delivery.bytesPerSecond)

  const submit = (): void => {
    const count = readSetting(concurrency, CONCURRENCY)
    const checkSeconds =
      readSetting(check, CHECK) ?? (Number(check) === reports.checkSeconds ? reports.checkSeconds : null)
    if (count === null || checkSeconds === null || readLimit.kind === 'wrong') {
      showToast({ tone: 'red', message: t('settings:correctFirst') })
      return
    }
    void save({
      delivery: {
        ...delivery,
        concurrency: count,
        resendWhenProvenAbsent: resend,
        bytesPerSecond: readLimit.bytesPerSecond,
      },
      reports: { ...reports, checkSeconds, saveTo: folder.trim() === '' ? null : folder.trim() },
    })
  }
  return (
    <SettingsForm explain={t('settings:sending.explain')} keys={PARTS} isSaving={isSaving} onSave={submit}>
      <ManagedGroup keys={['delivery']}>
        <div className={css.card}>
          <h3>{t('settings:sending.transfer')}</h3>
          <NumberSetting
            label={t('settings:sending.concurrency')}
            description={t('settings:sending.concurrencyHint')}
            limits={CONCURRENCY}
            text={concurrency}
            onWrite={setConcurrency}
          />
          <div className={css.withUnit}>
            <TextInput
              label={t('settings:sending.rate')}
              description={t('settings:sending.rateHint')}
              inputMode="decimal"
              autoComplete="off"
              value={rate.text}
              error={readLimit.kind === 'wrong' && t('settings:sending.rateWrong')}
              onChange={(event) => setRate({ ...rate, text: event.currentTarget.value })}
            />
            <NativeSelect
              label={t('settings:sending.rateUnit')}
              description={'\u00a0'}
              value={rate.unit}
              data={RATE_UNITS.map((unit) => ({
                value: unit,
                label: t(`settings:sending.rateUnits.${unit}`),
              }))}
              onChange={(event) => {
                const unit = RATE_UNITS.find((one) => one === event.currentTarget.value)
                if (unit) setRate({ ...rate, unit })
              }}
            />
          </div>
          <Switch
            label={t('settings:sending.resend')}
            description={t('settings:sending.resendHint')}
            checked={resend}
            onChange={(event) => setResend(event.currentTarget.checked)}
          />
        </div>
      </ManagedGroup>
      <ManagedGroup keys={['reports']}>
        <div className={css.card}>
          <h3>{t('settings:sending.reports')}</h3>
          <NumberSetting
            label={t('settings:sending.checkSeconds')}
            unit={t('settings:folders.seconds')}
            limits={CHECK}
            text={check}
            onWrite={setCheck}
          />
          <TextInput
            label={t('settings:sending.saveTo')}
            description={t('settings:sending.saveToHint')}
            autoComplete="off"
            spellCheck={false}
            value={folder}
            onChange={(event) => setFolder(event.currentTarget.value)}
          />
        </div>
      </ManagedGroup>
    </SettingsForm>
  )
}
