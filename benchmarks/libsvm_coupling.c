/* Pairwise coupling by Gauss-Seidel sweeps: Wu, Lin & Weng (2004), Algorithm 2.

   Written from the paper's description, with the stopping rule and the limit on sweeps that LIBSVM
   uses by default, as the peer that speed_decoding.py times. The tolerance is an argument, so that
   the peer can also be asked for the accuracy that it is compared with.

   r holds, for each of n samples, the k(k-1)/2 probabilities r_ij = P(i | i or j), i < j, row by
   row; p receives n rows of k class probabilities. */

#include <math.h>
#include <stdlib.h>

static int sweep_until_small(int k, double *q, double *p, double *qp, double tolerance)
{
    int most = k > 100 ? k : 100;
    for (int i = 0; i < k; i++) p[i] = 1.0 / k;
    for (int sweep = 0; sweep < most; sweep++) {
        double pqp = 0.0, largest = 0.0;
        for (int i = 0; i < k; i++) {
            double sum = 0.0;
            for (int j = 0; j < k; j++) sum += q[i * k + j] * p[j];
            qp[i] = sum;
            pqp += p[i] * sum;
        }
        for (int i = 0; i < k; i++) {
            double error = fabs(qp[i] - pqp);
            if (error > largest) largest = error;
        }
        if (largest < tolerance) return sweep;
        for (int i = 0; i < k; i++) {
            /* Move p_i to its best value, then divide by the new sum, 1 + change. */
            double diagonal = q[i * k + i], change = (pqp - qp[i]) / diagonal, sum = 1.0 + change;
            p[i] += change;
            pqp = (pqp + change * (change * diagonal + 2.0 * qp[i])) / (sum * sum);
            for (int j = 0; j < k; j++) {
                qp[j] = (qp[j] + change * q[i * k + j]) / sum;
                p[j] /= sum;
            }
        }
    }
    return most;
}

/* Returns the number of sweeps done for all samples together. */
long couple(long n, int k, double tolerance, const double *r, double *p)
{
    double *q = malloc(sizeof(double) * k * k), *qp = malloc(sizeof(double) * k);
    long sweeps = 0, pairs = (long)k * (k - 1) / 2;
    for (long sample = 0; sample < n; sample++) {
        const double *pair = r + sample * pairs;
        for (int i = 0; i < k * k; i++) q[i] = 0.0;
        for (int i = 0; i < k; i++) {
            for (int j = i + 1; j < k; j++) {
                double above = *pair++, below = 1.0 - above;
                q[i * k + i] += below * below;
                q[j * k + j] += above * above;
                q[i * k + j] = q[j * k + i] = -above * below;
            }
        }
        sweeps += sweep_until_small(k, q, p + sample * k, qp, tolerance);
    }
    free(q);
    free(qp);
    return sweeps;
}
