import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { writeRoute } from '../shell/routes.ts'
import { useAnswer } from '../store/use-answer.ts'
import { useStation } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import css from './settings-screen.module.css'

/** The way to the service as the computer is set to it; there is nothing to be set here. */
export function NetworkSection() {
  const address = useStation((state) => state.settings?.service?.baseUrl ?? null)
  const about = useAnswer('station.about', {})
  const way = (): string => {
    if (address === null) return t('settings:network.noService')
    if (!about.value) return '\u2013'
    const { proxy } = about.value
    return proxy === null ? t('settings:network.direct') : t('settings:network.proxy', { address: proxy })
  }
  return (
    <div className={css.form}>
      <p className={css.explain}>{t('settings:network.explain')}</p>
      {about.failure && <FailureNotice failure={about.failure} />}
      <div className={css.card}>
        <dl className={css.facts}>
          <dt>{t('settings:service.baseUrl')}</dt>
          <dd className={css.long}>{address ?? '\u2013'}</dd>
          <dt>{t('settings:network.way')}</dt>
          <dd className={css.long}>{way()}</dd>
          <dt>{t('settings:network.setBy')}</dt>
          <dd>{about.value ? t(`settings:network.setBys.${about.value.host}`) : '\u2013'}</dd>
          <dt>{t('settings:network.certificates')}</dt>
          <dd>{t('settings:network.certificatesText')}</dd>
        </dl>
        <p className={css.hint}>{t('settings:network.signIn')}</p>
        <div className={css.foot}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={17} aria-hidden />}
            loading={about.isReading}
            onClick={about.readAgain}
          >
            {t('settings:network.again')}
          </Button>
          <Button
            component="a"
            variant="default"
            href={writeRoute({ screen: 'settings', section: 'service' })}
          >
            {t('settings:network.test')}
          </Button>
        </div>
      </div>
    </div>
  )
}
