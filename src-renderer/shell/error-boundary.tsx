import { Component, type ErrorInfo, type ReactNode } from 'react'
import { CrashView } from './crash-view.tsx'
import { faultText } from './screen-fault.ts'

type Props = {
  readonly children: ReactNode
  /** Another place is another try: what failed there says nothing about this one. */
  readonly place: string
  /** A part of the frame fails in one line, so that the screen in it can be used. */
  readonly shape?: 'screen' | 'part'
}
type State = {
  readonly phase: 'drawn' | 'failed'
  readonly place: string
  /** For the diagnostics; empty until React has told where it was. */
  readonly fault: string
}

/** Keeps what cannot be drawn from blanking the rest. Only a class can catch what children throw. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { phase: 'drawn', place: this.props.place, fault: '' }

  static getDerivedStateFromError(): Partial<State> {
    return { phase: 'failed' }
  }

  static getDerivedStateFromProps({ place }: Props, state: State): State | null {
    return place === state.place ? null : { phase: 'drawn', place, fault: '' }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    const screen = this.props.place
    this.setState({ fault: faultText({ screen, error, componentStack: componentStack ?? '' }) })
  }

  override render(): ReactNode {
    if (this.state.phase === 'drawn') return this.props.children
    return (
      <CrashView
        shape={this.props.shape ?? 'screen'}
        fault={this.state.fault}
        onAgain={() => this.setState({ phase: 'drawn', fault: '' })}
      />
    )
  }
}
