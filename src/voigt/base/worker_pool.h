#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace voigt {

inline constexpr int kMaxThreads = 256;

// Threads that wait for work and share it out among themselves and the one that calls. Who gets
// which part is a matter of chance: tasks that write to places of their own give the same bits with
// any number of threads.
//
// A pool belongs to one caller at a time, and its tasks must not call it again. Run allocates
// nothing.
class WorkerPool {
 public:
  // `thread_count`: 1 … kMaxThreads, the caller's included; with 1, Run is a plain loop.
  explicit WorkerPool(int thread_count);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int thread_count() const { return static_cast<int>(workers_.size()) + 1; }

  // task(i, thread) for every i of 0 … count − 1, once each; `thread`, 0 … thread_count() − 1,
  // tells whose memory it may use. Returns when all are done. Where tasks throw, the exception of
  // the smallest i goes on to the caller, as from a loop; later tasks may or may not have run.
  template <typename Task>
  void Run(int count, Task&& task) {
    using Plain = std::remove_reference_t<Task>;
    RunJob({[](void* context, int i, int thread) { (*static_cast<Plain*>(context))(i, thread); },
            const_cast<std::remove_const_t<Plain>*>(std::addressof(task)), count});
  }

 private:
  struct Job {
    void (*call)(void* context, int i, int thread) = nullptr;
    void* context = nullptr;
    int count = 0;
  };

  void RunJob(const Job& job);
  void End();
  void Work(int thread);
  // Takes tasks of the present job until none is left; `lock` is held before and after.
  void TakeTasks(int thread, std::unique_lock<std::mutex>* lock);

  // All of this is guarded by the mutex.
  std::mutex mutex_;
  std::condition_variable has_work_, is_done_;
  Job job_;
  int next_ = 0;     // the first task that nobody has taken
  int running_ = 0;  // tasks that are taken and not done
  std::exception_ptr error_;
  int error_at_ = 0;
  bool is_ending_ = false;

  std::vector<std::thread> workers_;
};

}  // namespace voigt
