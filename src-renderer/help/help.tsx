/** The help screen. */
import { type ReactNode, useEffect } from 'react'
import { StateBadge } from '../components/badges.tsx'
import { FailureNotice } from '../components/controls.tsx'
import type { Texts } from '../../src-shared/texts/english.ts'
import { t } from '../i18n/i18n.ts'
import { KeyboardList } from '../shell/keyboard-help.tsx'
import type { ShownState } from '../store/state.ts'
import { StandingMark } from '../submission/proof-sources.tsx'
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

const ADVISED = ['refused', 'unconfirmed', 'incomplete', 'review', 'held', 'discarded'] as const

function StatesLegend() {
  return (
    <div className={css.states}>
      {(Object.keys(GROUPS) as Group[]).map((group) => (
        <section key={group}>
          <h3 className={css.small}>{t(`help:states.groups.${group}`)}</h3>
          <dl className={css.legend}>
            {GROUPS[group].map((state) => {
              const advice = ADVISED.find((one) => one === state)
              return (
                <div key={state}>
                  <dt>
                    <StateBadge state={state} />
                  </dt>
                  <dd>
                    {t(`state:${state}.meaning`)}
                    {advice !== undefined && (
                      <p className="small dim">{t(`help:states.whatToDo.${advice}`)}</p>
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

const STANDINGS = ['proven', 'proposed', 'disputed', 'unknown'] as const
const STEPS = ['dicom', 'names', 'folder'] as const

/** What each mark of a case means, and what makes a folder hands-free. */
function ProofLegend() {
  return (
    <div className={css.states}>
      <dl className={css.legend}>
        {STANDINGS.map((kind) => (
          <div key={kind}>
            <dt>
              <StandingMark kind={kind} />
            </dt>
            <dd>{t(`proof:meaning.${kind}`)}</dd>
          </div>
        ))}
      </dl>
      <section>
        <h3 className={css.small}>{t('help:proof.handsFree')}</h3>
        <ol className={css.steps}>
          {STEPS.map((step) => (
            <li key={step}>{t(`help:proof.steps.${step}`)}</li>
          ))}
        </ol>
      </section>
    </div>
  )
}

/** Joins a path in the style of the station's computer. */
export function joinPath(folder: string, ...names: readonly string[]): string {
  const separator = folder.includes('\\') ? '\\' : '/'
  return [folder, ...names].join(separator)
}

type DataLocation = {
  readonly name: 'cases' | 'backups' | 'folders' | 'copies' | 'log' | 'secret'
  readonly paths: readonly string[]
  readonly none?: string
  readonly explain?: string
}

function StorageLocations() {
  const { value: about, failure } = useAnswer('station.about', {})
  const settings = useStation((state) => state.settings)
  const host = useStation((state) => state.status?.host ?? null)
  const inData = (...names: string[]): string => (about ? joinPath(about.dataFolder, ...names) : '\u2026')
  const folders = (settings?.folders ?? []).map(({ path }) => path)
  const saveTo = settings?.reports.saveTo
  const locations: readonly DataLocation[] = [
    { name: 'cases', paths: [inData()], explain: t('help:kept.casesExplain') },
    { name: 'backups', paths: [inData('backups')], explain: t('help:kept.backupsExplain') },
    {
      name: 'folders',
      paths: folders,
      none: t('help:kept.noFolders'),
      explain: t('help:kept.foldersExplain'),
    },
    { name: 'copies', paths: saveTo ? [saveTo] : [], none: t('help:kept.noCopies') },
    {
      name: 'log',
      paths: host === 'electron' ? [inData('logs')] : [],
      explain: host === null ? '' : t(`help:kept.logs.${host}`),
    },
    { name: 'secret', paths: [], explain: t('help:kept.secretExplain') },
  ]
  return (
    <>
      {failure && (
        <>
          <p className="dim">{t('help:kept.unknown')}</p>
          <FailureNotice failure={failure} tone="amber" />
        </>
      )}
      <dl className={css.locations}>
        {locations.map(({ name, paths, none, explain }) => (
          <div key={name}>
            <dt>{t(`help:kept.${name}`)}</dt>
            <dd>
              {paths.map((path) => (
                <code key={path}>{path}</code>
              ))}
              {paths.length === 0 && none !== undefined && <span>{none}</span>}
              {explain !== undefined && <span className="dim">{explain}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

type HelpScreenProps = {
  /** What a link from elsewhere leads to; null: the start of the page. */
  readonly topic: 'proof' | null
}

export function HelpScreen({ topic }: HelpScreenProps) {
  useEffect(() => {
    if (topic === null) return
    const heading = document.getElementById(`help-${topic}`)
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }, [topic])
  return (
    <div className={css.screen}>
      <header>
        <h1 className="page-title">{t('shell:screens.help')}</h1>
        <p className="dim">{t('help:explain')}</p>
      </header>
      <Card id="help-states" title={t('help:states.title')} explain={t('help:states.explain')}>
        <StatesLegend />
      </Card>
      <Card id="help-proof" title={t('help:proof.title')} explain={t('help:proof.explain')}>
        <ProofLegend />
      </Card>
      <Card id="help-keys" title={t('shell:keys.title')} explain={t('help:keys.explain')}>
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

type CardProps = {
  readonly id: string
  readonly title: string
  readonly explain?: string
  readonly children: ReactNode
}

function Card({ id, title, explain, children }: CardProps) {
  return (
    <section className={css.card} aria-labelledby={id}>
      <div>
        <h2 id={id} className={css.heading} tabIndex={-1}>
          {title}
        </h2>
        {explain !== undefined && <p className="dim">{explain}</p>}
      </div>
      {children}
    </section>
  )
}
