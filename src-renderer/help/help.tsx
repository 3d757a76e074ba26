/** The help screen. */
import type { ReactNode } from 'react'
import { StateBadge } from '../components/badges.tsx'
import { FailureNotice } from '../components/notices.tsx'
import type { Texts } from '../../src-shared/texts/english.ts'
import { t } from '../i18n/i18n.ts'
import { KeyboardList } from '../shell/keyboard-help.tsx'
import type { ShownState } from '../store/state.ts'
import { useAnswer, useStation } from '../store/use-station.ts'
import { Diagnostics } from './diagnostics.tsx'
import css from './help-screen.module.css'

type Group = keyof Texts['help']['states']['groups']

const GROUPS: Readonly<Record<Group, readonly ShownState[]>> = {
  needsYou: ['refused', 'unconfirmed', 'incomplete', 'review'],
  byItself: ['collecting', 'waiting', 'retrying', 'sending'],
  stopped: ['held', 'discarded'],
  done: ['sent'],
}

const GROUP_NAMES = Object.keys(GROUPS) as Group[]

type Advice = keyof Texts['help']['states']['whatToDo']

const ADVICE: Readonly<Partial<Record<ShownState, Advice>>> = {
  refused: 'refused',
  unconfirmed: 'unconfirmed',
  incomplete: 'incomplete',
  review: 'review',
  held: 'held',
  discarded: 'discarded',
}

export function StatesLegend() {
  return (
    <div className={css.states}>
      {GROUP_NAMES.map((group) => (
        <section key={group}>
          <h3 className={css.small}>{t(`help:states.groups.${group}`)}</h3>
          <dl className={css.legend}>
            {GROUPS[group].map((state) => {
              const advice = ADVICE[state]
              return (
                <div key={state}>
                  <dt>
                    <StateBadge state={state} />
                  </dt>
                  <dd>
                    {t(`state:${state}.meaning`)}
                    {advice !== undefined && (
                      <span className={css.whatToDo}>{t(`help:states.whatToDo.${advice}`)}</span>
                    )}
                  </dd>
                </div>
              )
            })}
          </dl>
        </section>
      ))}
    </div>
  )
}

/** Joins a path in the style of the station's computer. */
export function joinPath(folder: string, ...names: readonly string[]): string {
  const separator = folder.includes('\\') ? '\\' : '/'
  return [folder, ...names].join(separator)
}

export function StorageLocations() {
  const { value: about, failure } = useAnswer('station.about', {})
  const settings = useStation((state) => state.settings)
  const host = useStation((state) => state.status?.host ?? null)
  const inData = (...names: string[]): string => (about ? joinPath(about.dataFolder, ...names) : '\u2026')
  const folders = settings?.folders ?? []
  return (
    <>
      {failure && (
        <>
          <p className="dim">{t('help:kept.unknown')}</p>
          <FailureNotice failure={failure} tone="amber" />
        </>
      )}
      <dl className={css.locations}>
        <LocationEntry name={t('help:kept.cases')} explain={t('help:kept.casesExplain')}>
          <code>{inData()}</code>
        </LocationEntry>
        <LocationEntry name={t('help:kept.backups')} explain={t('help:kept.backupsExplain')}>
          <code>{inData('backups')}</code>
        </LocationEntry>
        <LocationEntry name={t('help:kept.folders')} explain={t('help:kept.foldersExplain')}>
          {folders.length === 0 ? (
            <span>{t('help:kept.noFolders')}</span>
          ) : (
            folders.map(({ path }) => <code key={path}>{path}</code>)
          )}
        </LocationEntry>
        <LocationEntry name={t('help:kept.copies')}>
          {settings?.reports.saveTo ? (
            <code>{settings.reports.saveTo}</code>
          ) : (
            <span>{t('help:kept.noCopies')}</span>
          )}
        </LocationEntry>
        <LocationEntry name={t('help:kept.log')} explain={host === null ? '' : t(`help:kept.logs.${host}`)}>
          {host === 'electron' && <code>{inData('logs')}</code>}
        </LocationEntry>
        <LocationEntry name={t('help:kept.secret')} explain={t('help:kept.secretExplain')} />
      </dl>
    </>
  )
}

function LocationEntry({
  name,
  explain,
  children,
}: {
  readonly name: string
  readonly explain?: string
  readonly children?: ReactNode
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {explain !== undefined && <span className="dim">{explain}</span>}
      </dd>
    </div>
  )
}

export function HelpScreen() {
  return (
    <div className={css.screen}>
      <header>
        <h1 className={css.title}>{t('help:title')}</h1>
        <p className="dim">{t('help:explain')}</p>
      </header>
      <Card id="help-states" title={t('help:states.title')} explain={t('help:states.explain')}>
        <StatesLegend />
      </Card>
      <Card id="help-keys" title={t('help:keys.title')} explain={t('help:keys.explain')}>
        <KeyboardList />
      </Card>
      <div className={css.pair}>
        <Card id="help-kept" title={t('help:kept.title')}>
          <StorageLocations />
        </Card>
        <Card id="help-diagnostics" title={t('help:diagnostics.title')}>
          <Diagnostics />
        </Card>
      </div>
    </div>
  )
}

function Card({
  id,
  title,
  explain,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly explain?: string
  readonly children: ReactNode
}) {
  return (
    <section className={css.card} aria-labelledby={id}>
      <div>
        <h2 id={id} className={css.heading}>
          {title}
        </h2>
        {explain !== undefined && <p className="dim">{explain}</p>}
      </div>
      {children}
    </section>
  )
}
