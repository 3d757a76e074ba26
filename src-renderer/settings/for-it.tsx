/** The settings for an IT department: this computer, what is kept on it, and what its files state. */
import { Stack } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import type { About } from '../../src-shared/desktop.ts'
import type { ManagedFile, SettingInForce } from '../../src-shared/setting-sources.ts'
import { Caution, NotRead, Toggle } from '../components/controls.tsx'
import { formatBytes } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import { useAnswer } from '../store/use-station.ts'
import itCss from './for-it.module.css'
import { Diagnostics, LicenseList, UpdateCard } from './program.tsx'
import { ManagedGroup, NumberSetting, type SectionProps, SettingsForm, useSaving } from './settings-form.tsx'
import css from './settings-screen.module.css'

const GIGABYTE = 1_024 ** 3
const SPACE = { min: 0, max: 100_000 } as const

const DAYS = { min: 1, max: 36_500, isWhole: true } as const

/** Half a year: the field's initial value if images were never deleted so far. */
const DEFAULT_DAYS = 180

export function ForItSection({ settings: { desktop, storage, service } }: SectionProps) {
  const about = useAnswer('station.about', {})
  const [isStarting, setStarting] = useState(desktop.startAtLogin === 'on')
  const [isRemoving, setRemoving] = useState(storage.keepImagesDays !== null)
  const [days, setDays] = useState<number | undefined>(storage.keepImagesDays ?? DEFAULT_DAYS)
  const [lowWaterBytes, setLowWater] = useState<number | undefined>(storage.lowWaterBytes)
  const keepImagesDays = isRemoving ? days : null
  const isWrong = keepImagesDays === undefined || lowWaterBytes === undefined
  const saving = useSaving({
    desktop: { ...desktop, startAtLogin: isStarting ? 'on' : 'off' },
    storage: isWrong ? undefined : { ...storage, keepImagesDays, lowWaterBytes },
  })
  const address = service?.baseUrl ?? null
  return (
    <div className={css.form}>
      <SettingsForm section="it" saving={saving}>
        <div className={css.card}>
          <h3>{t('settings:computer.title')}</h3>
          <StartAtLogin about={about.value} isOn={isStarting} onWrite={setStarting} />
        </div>
        <ManagedGroup part="storage">
          <div className={css.card}>
            <h3>{t('settings:storage.retention')}</h3>
            <Toggle label={t('settings:storage.remove')} isOn={isRemoving} onWrite={setRemoving} />
            <NumberSetting
              label={t('settings:storage.days')}
              unit={t('settings:storage.dayUnit')}
              limits={DAYS}
              value={days}
              isUsed={isRemoving}
              onWrite={setDays}
            />
            <p className="small dim">
              {t(isRemoving ? 'settings:storage.removeMeans' : 'settings:storage.keepMeans')}
            </p>
          </div>
          <div className={css.card}>
            <h3>{t('settings:storage.free')}</h3>
            <NumberSetting
              label={t('settings:storage.lowWater')}
              description={t('settings:storage.lowWaterHint')}
              unit={t('settings:storage.gigabytes')}
              limits={SPACE}
              per={GIGABYTE}
              value={lowWaterBytes}
              onWrite={setLowWater}
            />
            <dl className={css.facts}>
              <dt>{t('settings:storage.ballast')}</dt>
              <dd>{t('settings:storage.ballastText', { size: formatBytes(storage.ballastBytes) })}</dd>
            </dl>
          </div>
        </ManagedGroup>
      </SettingsForm>
      <section className={css.card} aria-labelledby="this-station">
        <h3 id="this-station">{t('settings:about.title')}</h3>
        {about.value ? (
          <Facts about={about.value} address={address} />
        ) : (
          <NotRead failure={about.failure} label={t('settings:about.title')} />
        )}
        <p className="dim">{t('settings:about.notForDiagnosis')}</p>
      </section>
      <Origin />
      <section className={css.card} aria-labelledby="diagnostics">
        <h3 id="diagnostics">{t('help:diagnostics.title')}</h3>
        <Diagnostics />
      </section>
      <UpdateCard />
      <LicenseList />
    </div>
  )
}

type StartAtLoginProps = {
  readonly about: About | null
  readonly isOn: boolean
  readonly onWrite: (isOn: boolean) => void
}

/** Start of the desktop app at login; on other hosts, who is responsible for it. */
function StartAtLogin({ about, isOn, onWrite }: StartAtLoginProps) {
  if (about?.host === 'headless') return <p className="dim">{t('settings:computer.startElsewhere')}</p>
  return (
    <ManagedGroup part="desktop">
      <Toggle
        label={t('settings:computer.startAtLogin')}
        description={t('settings:computer.startAtLoginHint')}
        isOn={isOn}
        onWrite={onWrite}
      />
      {about?.startAtLogin === 'refused' && <Caution>{t('settings:computer.startRefused')}</Caution>}
    </ManagedGroup>
  )
}

function Amber({ children }: { readonly children: ReactNode }) {
  return <strong className="amber">{children}</strong>
}

/** What the station is, where things are kept, and its way to the service. */
function Facts({ about, address }: { readonly about: About; readonly address: string | null }) {
  const { host, proxy, secretsKept } = about
  const way = proxy === null ? t('settings:network.direct') : t('settings:network.proxy', { address: proxy })
  const secret = t(`settings:secretsKept.${secretsKept}`)
  const { folder, disk } = about.protection
  const diskText = t(`settings:about.disks.${disk}`)
  const facts: readonly (readonly [name: string, text: ReactNode, detail?: ReactNode])[] = [
    [t('settings:about.version'), about.version],
    [t('settings:about.host'), t(`settings:about.hosts.${host}`)],
    [t('settings:about.station'), about.stationId],
    [t('settings:about.system'), about.system],
    [t('settings:about.runtime'), about.runtime],
    [
      t('settings:about.dataFolder'),
      <code key="folder">{about.dataFolder}</code>,
      folder === 'open' ? (
        <Amber key="open">{t('settings:about.dataFolderOpen')}</Amber>
      ) : (
        t('settings:about.dataFolderHint')
      ),
    ],
    [
      t('settings:about.disk'),
      disk === 'notEncrypted' ? <Amber key="disk">{diskText}</Amber> : diskText,
      disk === 'notEncrypted' ? t('settings:about.diskHint') : undefined,
    ],
    [t('settings:about.log'), t(`settings:about.logs.${host}`)],
    [
      t('settings:service.secret'),
      secretsKept === 'privateFile' ? <Amber key="secret">{secret}</Amber> : secret,
      t(`settings:secretsKept.${secretsKept}Means`),
    ],
    [t('settings:service.baseUrl'), address ?? NO_VALUE],
    [t('settings:network.way'), address === null ? NO_VALUE : way, t(`settings:network.setBys.${host}`)],
    [t('settings:network.certificates'), t('settings:network.certificatesText')],
    [t('settings:about.license'), t('settings:about.licenseName')],
  ]
  return (
    <dl className={css.facts}>
      {facts.map(([name, text, detail]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd className="breakable">
            {text}
            {detail !== undefined && <p className="small dim">{detail}</p>}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** All others are problems; `none` is one if an earlier version of the file is still in effect. */
const SOUND_STATES: readonly ManagedFile['state'][] = ['read', 'taken']

function FileState({ file }: { readonly file: ManagedFile }) {
  const { inForce } = file
  const hasProblem = file.state === 'none' ? inForce === 'lastKnown' : !SOUND_STATES.includes(file.state)
  return (
    <Stack component="li" gap={2}>
      <strong>{t(`managed:kind.${file.kind}`)}</strong>
      <code className="breakable">{file.path}</code>
      <span className={hasProblem ? 'amber' : undefined}>{t(`managed:state.${file.state}`)}</span>
      {file.detail !== null && <code className="breakable">{file.detail}</code>}
      {inForce === 'lastKnown' && <span>{t('managed:lastKnown')}</span>}
      {inForce === 'nothing' && file.kind === 'configuration' && <span>{t('managed:noConfiguration')}</span>}
      {file.unknownNames.length > 0 && (
        <span className="amber">
          {t('settings:sources.unknownNames', { names: file.unknownNames.join(', ') })}
        </span>
      )}
    </Stack>
  )
}

const NO_VALUE = '\u2013'
const SECRET = 'service.clientSecret'

/** A value as the files write it; a secret is never shown. */
function settingText({ name, value }: SettingInForce): string {
  if (name === SECRET) return t('settings:sources.secretKept')
  return value === null || value === '' ? NO_VALUE : String(value)
}

/** The administrator's files, and the values that they, the command line or the environment state. */
function Origin() {
  const { value, failure } = useAnswer('settings.sources', {})
  if (!value) return <NotRead failure={failure} label={t('settings:sources.values')} />
  const { files, items } = value
  const stated = items.filter(({ source }) => source !== 'builtIn' && source !== 'person')
  return (
    <section className={css.card} aria-labelledby="setting-values">
      <h3>{t('settings:sources.files')}</h3>
      {files.length === 0 && <p className="dim">{t('settings:sources.noFiles')}</p>}
      <Stack component="ul" role="list" gap={12}>
        {files.map((file) => (
          <FileState key={`${file.kind} ${file.path}`} file={file} />
        ))}
      </Stack>
      <h3 id="setting-values" className={css.group}>
        {t('settings:sources.values')}
      </h3>
      <p className="dim">{t('settings:sources.explain')}</p>
      {stated.length > 0 && (
        <div className={itCss.frame} role="group" aria-label={t('settings:sources.values')} tabIndex={0}>
          <table className={itCss.table}>
            <thead>
              <tr>
                <th scope="col">{t('settings:sources.name')}</th>
                <th scope="col">{t('settings:sources.value')}</th>
                <th scope="col">{t('settings:sources.source')}</th>
              </tr>
            </thead>
            <tbody>
              {stated.map((item) => (
                <tr key={item.name}>
                  <td>
                    <code>{item.name}</code>
                  </td>
                  <td className="breakable">{settingText(item)}</td>
                  <td>
                    {t(`settings:sources.from.${item.source}`)}
                    {item.isLocked && (
                      <span className={itCss.lock}>
                        <IconLock size={15} aria-hidden />
                        {t('settings:sources.locked')}
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
