import axes from './axes.module.css';

type Props = {
  ticks: readonly { hours: number; text: string }[];
  left: number;
  right: number;
  y: (hours: number) => number;
};

/** A line with its name for each of the hours; that of none is the base. */
export const HoursAxis = ({ ticks, left, right, y }: Props) =>
  ticks.map(({ hours, text }) => (
    <g key={hours}>
      <line className={hours === 0 ? axes.base : axes.grid} x1={left} x2={right} y1={y(hours)} y2={y(hours)} />
      <text className={axes.axis} x={left - 8} y={y(hours) + 4} textAnchor="end">
        {text}
      </text>
    </g>
  ));
