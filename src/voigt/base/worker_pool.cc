#include "voigt/base/worker_pool.h"

#include <utility>

#include "voigt/base/check.h"

namespace voigt {

WorkerPool::WorkerPool(int thread_count) {
  VOIGT_CHECK(thread_count >= 1 && thread_count <= kMaxThreads);
  workers_.reserve(thread_count - 1);
  try {
    for (int i = 1; i < thread_count; ++i) workers_.emplace_back([this, i] { Work(i); });
  } catch (...) {
    // The system has no more threads: those that run must end before their memory does.
    End();
    throw;
  }
}

WorkerPool::~WorkerPool() { End(); }

void WorkerPool::End() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  has_work_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::RunJob(const Job& job) {
  if (workers_.empty() || job.count <= 1) {
    for (int i = 0; i < job.count; ++i) job.call(job.context, i, 0);
    return;
  }
  std::unique_lock lock(mutex_);
  VOIGT_CHECK(next_ == job_.count && running_ == 0);
  job_ = job;
  next_ = 0;
  has_work_.notify_all();
  TakeTasks(0, &lock);
  is_done_.wait(lock, [&] { return running_ == 0; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

// Tasks are taken in order, so that all before one that throws are done in any case.
void WorkerPool::TakeTasks(int thread, std::unique_lock<std::mutex>* lock) {
  while (next_ < job_.count) {
    const int i = next_++;
    ++running_;
    lock->unlock();
    std::exception_ptr error;
    try {
      job_.call(job_.context, i, thread);
    } catch (...) {
      error = std::current_exception();
    }
    lock->lock();
    --running_;
    if (!error) continue;
    next_ = job_.count;
    if (error_ && error_at_ < i) continue;
    error_ = std::move(error);
    error_at_ = i;
  }
}

void WorkerPool::Work(int thread) {
  std::unique_lock lock(mutex_);
  while (true) {
    has_work_.wait(lock, [&] { return is_ending_ || next_ < job_.count; });
    if (is_ending_) return;
    TakeTasks(thread, &lock);
    if (running_ == 0) is_done_.notify_one();
  }
}

}  // namespace voigt
