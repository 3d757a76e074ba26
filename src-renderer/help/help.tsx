/** The help screen. */
import type { ReactNode } from 'react'
import { StateBadge } from '../components/badges.tsx'
import { LinkButton } from '../components/controls.tsx'
import type { Texts } from '../../src-shared/texts/english.ts'
import { t } from '../i18n/i18n.ts'
import type { ShownState } from '../store/state.ts'
import { StandingMark } from '../submission/proof-sources.tsx'
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

export function HelpScreen() {
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
      <div>
        <LinkButton to={{ screen: 'settings', section: 'it' }}>{t('help:forIt')}</LinkButton>
      </div>
    </div>
  )
}

type CardProps = {
  readonly id: string
  readonly title: string
  readonly explain: string
  readonly children: ReactNode
}

function Card({ id, title, explain, children }: CardProps) {
  return (
    <section className={css.card} aria-labelledby={id}>
      <div>
        <h2 id={id} className={css.heading}>
          {title}
        </h2>
        <p className="dim">{explain}</p>
      </div>
      {children}
    </section>
  )
}
