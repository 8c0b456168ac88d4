/**
 * The sum of hours that the service has rounded to hundredths. Added in whole minutes, as each of them is shown: so the
 * rounding of many days does not add up.
 */
export const sumHours = (hours: readonly number[]): number =>
  hours.reduce((minutes, each) => minutes + Math.round(each * 60), 0) / 60;
